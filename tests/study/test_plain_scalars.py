"""A value that programs read differently is refused, wherever it is written, with the way to write it."""

import pytest

from nonconvex.errors import UserError
from nonconvex.study.config import read_config


@pytest.mark.parametrize(
    ("key", "value", "remedy"),
    [
        ("seed", "0077", 'write 77, or write "0077"'),
        ("seed", "4_000", "write 4000, or"),
        ("trials", "2e1", "write 20, or"),
        ("trials", "{phase_mode1: 08}", "write 8, or"),
        ("seed", "0x1f", 'write "0x1f"'),
        ("seed", "2:30", 'write "2:30"'),
        ("grid", "{p: [2e-1]}", "write 0.2, or"),
        ("grid", "{tolerance: 3e-9}", "write 3.0e-09, or"),
        (
            "grid",
            "{p: yes}",
            'p holds yes without quotes, which is no number: write a number, or "yes" in quotes',
        ),
        ("name", "off", 'is false to some programs and text to others: write false, or "off" in quotes'),
        ("name", "2026-02-03", 'as a date: write "2026-02-03"'),
        ("figures", "[3.7, 3.10]", r'as the number 3.1: write "3.10", in quotes, or 3.1'),
    ],
)
def test_file_and_setting_are_refused_alike(tmp_path, key, value, remedy):
    (tmp_path / "main.yaml").write_text("scale: smoke\n")
    (tmp_path / "over.yaml").write_text(f"scale: smoke\n{key}: {value}\n")
    with pytest.raises(UserError) as file:
        read_config(tmp_path / "main.yaml", [tmp_path / "over.yaml"])
    with pytest.raises(UserError) as setting:
        read_config(tmp_path / "main.yaml", settings=[f"{key}={value}"])
    assert remedy in str(file.value) and remedy in str(setting.value)
    assert "over.yaml, line 2: " in str(file.value)
    assert "a shell takes quotes away" in str(setting.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10), ("3.0", 3.0), ("-1", -1), ("0.10", 0.1), ("1.0e-9", 1e-9), ("true", True), ("null", None),
        ("", None), ('"010"', "010"), ("'yes'", "yes"), ("few-ranks", "few-ranks"), ("7up", "7up"),
    ],
)  # fmt: skip
def test_what_all_read_alike_is_read(tmp_path, text, value):
    (tmp_path / "main.yaml").write_text(f"name: {text}\n")
    assert read_config(tmp_path / "main.yaml") == {"name": value}
    assert read_config(tmp_path / "main.yaml", settings=[f"seed={text}"])["seed"] == value


@pytest.mark.parametrize("figures", ['["2.10"]', "['2.10']", "[2.1]", "[F.1, 6.3b]"])
def test_names_of_figures_are_read(tmp_path, figures):
    (tmp_path / "main.yaml").write_text(f"figures: {figures}\n")
    assert [str(one) for one in read_config(tmp_path / "main.yaml")["figures"]] == [
        one.strip("\"' ") for one in figures.strip("[]").split(",")
    ]


def test_a_setting_that_is_no_yaml_is_told(tmp_path):
    (tmp_path / "main.yaml").write_text("scale: smoke\n")
    with pytest.raises(UserError, match=r"the value of the setting 'grid=\{p' is not valid YAML"):
        read_config(tmp_path / "main.yaml", settings=["grid={p"])


def test_text_that_is_not_utf_8_is_told(tmp_path):
    (tmp_path / "main.yaml").write_bytes(b"name: caf\xe9\n")
    with pytest.raises(UserError, match=r"main\.yaml is not text in UTF-8"):
        read_config(tmp_path / "main.yaml")
