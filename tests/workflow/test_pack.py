"""Moving results: one archive, and elsewhere figures and page again without computing anything."""

import gzip
import json
import os
import shutil
import tarfile

import pytest
from project_copy import Project, make

CONFIG = "results/smoke-tiny/config.yaml"
ARCHIVE = "results-smoke-tiny.tar.gz"


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """A finished run and its archive."""
    project = Project(tmp_path_factory.mktemp("packed"))
    project.snakemake()
    project.nonconvex("pack")
    return project


@pytest.fixture
def project(packed, tmp_path):
    """The same version in another clone."""
    return Project(tmp_path, packed.folder)


@pytest.fixture
def elsewhere(packed, project):
    """Another clone, with the archive unpacked."""
    (project.folder / "tiny.yaml").unlink()
    shutil.copy(packed.folder / ARCHIVE, project.folder)
    project.nonconvex("unpack", ARCHIVE, configfile=None)
    return project


def call(project, target, check=True):
    """Call a target of the Makefile with the archive's knobs and this folder's code."""
    words = [word.replace("tiny.yaml", CONFIG) for word in make(project, target)]
    return project.run([*words, f"PYTHONPATH={project.folder}/src"], check=check)


def page(project):
    return (project.folder / "results/smoke-tiny/index.html").read_bytes()


def without_blocks(project):
    return {name: b for name, b in project.results().items() if not name.endswith(".h5")}


def test_the_archive_is_the_same_each_time(packed):
    first = (packed.folder / ARCHIVE).read_bytes()
    for path in (packed.folder / "results").rglob("*"):
        os.utime(path)
    packed.nonconvex("pack", "--output", "again.tar.gz")
    assert (packed.folder / "again.tar.gz").read_bytes() == first


def test_it_holds_all_but_the_blocks(packed):
    with tarfile.open(packed.folder / ARCHIVE) as archive:
        names = set(archive.getnames())
    expected = {f"smoke-tiny/{name}" for name in without_blocks(packed)}
    assert names > expected | {"smoke-tiny/index.html", "smoke-tiny/packed.json", "smoke-tiny/config.yaml"}
    assert names > {"smoke-tiny/codecheck.yml", "smoke-tiny/ro-crate-metadata.json"}
    assert not [name for name in names if name.endswith(".h5") or "/logs/" in name]
    assert any("/provenance/outcomes/" in name for name in names)


def test_redrawn_elsewhere_it_is_the_same_to_the_byte(packed, elsewhere):
    whole = without_blocks(packed)
    assert without_blocks(elsewhere) == whole
    for name in whole:
        if not name.startswith("tables/"):
            (elsewhere.folder / "results/smoke-tiny" / name).unlink()
    output = call(elsewhere, "redraw").stdout
    assert without_blocks(elsewhere) == whole
    assert page(elsewhere) == page(packed)
    assert "Drawing figure 2.2" in output
    assert "Running" not in output


def test_nothing_is_left_to_do_elsewhere(elsewhere):
    assert "Nothing to be done" in call(elsewhere, "redraw").stdout
    told = elsewhere.nonconvex("verify", configfile=CONFIG).stdout
    assert "4 blocks are not in this folder; the tables made from them are whole" in told
    assert elsewhere.nonconvex("sweep", configfile=CONFIG).stdout == ""
    elsewhere.nonconvex("pack", "--output", "again.tar.gz", configfile=CONFIG)


def test_an_edited_figure_is_drawn_again_from_the_table(elsewhere):
    before = (elsewhere.folder / "results/smoke-tiny/stamps/figures/fig2.2.json").read_text()
    path = elsewhere.folder / "src/nonconvex/figures/kinds/phase_diagram.py"
    path.write_text(path.read_text() + "\n_EDITED = True\n")
    output = call(elsewhere, "redraw").stdout
    assert "removed the figure 2.2: it was made by other code" in output
    assert "Drawing figure 2.2" in output
    assert "Tabulating" not in output
    assert (elsewhere.folder / "results/smoke-tiny/stamps/figures/fig2.2.json").read_text() != before


@pytest.mark.parametrize("command", ["redraw", "run"])
def test_a_table_of_other_code_is_refused_by_name_and_kept(elsewhere, command):
    path = elsewhere.folder / "src/nonconvex/hankel/solvers/ram_fiht.py"
    path.write_text(path.read_text() + "\n_EDITED = True\n")
    before = elsewhere.results()
    done = call(elsewhere, command, check=False)
    assert done.returncode != 0
    assert "error: nothing is touched: 1 of the tables in results/smoke-tiny are not what" in done.stdout
    assert "the table of phase_mode1: it was made by another plan (blocks)" in done.stdout
    assert elsewhere.results() == before


def test_a_missing_table_is_refused_by_redraw(elsewhere):
    (elsewhere.folder / "results/smoke-tiny/tables/phase_mode1.csv").unlink()
    assert "the table of phase_mode1: missing" in call(elsewhere, "redraw", check=False).stdout


def test_a_stale_figure_is_not_packed(packed, tmp_path):
    copy = Project.twin(packed, tmp_path / "copy")
    numbers = copy.folder / "results/smoke-tiny/figures/fig2.2.csv"
    numbers.write_text(numbers.read_text() + "\n")
    (copy.folder / ARCHIVE).unlink()
    done = copy.nonconvex("pack", check=False)
    assert done.returncode == 1
    assert "error: the figure 2.2 cannot be packed: it has a damaged results/smoke-tiny" in done.stdout
    assert not (copy.folder / ARCHIVE).exists()


def unpack(project, name=ARCHIVE):
    done = project.nonconvex("unpack", *([name] if name else []), configfile=None, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    return done.stdout


def test_a_folder_that_exists_is_left_alone(elsewhere):
    before = elsewhere.results()
    assert "results/smoke-tiny exists already; move it away first" in unpack(elsewhere)
    assert elsewhere.results() == before


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_a_cut_archive_leaves_nothing(packed, project, part):
    whole = (packed.folder / ARCHIVE).read_bytes()
    (project.folder / ARCHIVE).write_bytes(whole[: int(part * len(whole))])
    assert "is truncated, damaged or no .tar.gz archive" in unpack(project)
    assert not (project.folder / "results").exists()


def test_what_is_no_archive_is_refused(project):
    assert "make unpack FILE=" in unpack(project, "nowhere.tar.gz")
    assert "make unpack FILE=" in unpack(project, None)
    (project.folder / "text.tar.gz").write_bytes(gzip.compress(b"text"))
    assert "no .tar.gz archive" in unpack(project, "text.tar.gz")


def repacked(project, change):
    """Write an archive anew whose list of files and contents were changed."""
    contents = {}
    with tarfile.open(project.folder / ARCHIVE) as archive:
        for member in archive:
            contents[member.name] = archive.extractfile(member).read()
    listed = json.loads(contents["smoke-tiny/packed.json"])
    change(listed, contents)
    contents["smoke-tiny/packed.json"] = json.dumps(listed).encode()
    folder = project.folder / "changed"
    folder.mkdir()
    with tarfile.open(project.folder / "changed.tar.gz", "w:gz") as archive:
        for number, (name, content) in enumerate(contents.items()):
            (folder / str(number)).write_bytes(content)
            archive.add(folder / str(number), name)
    return "changed.tar.gz"


def _damage(listed, contents):
    contents["smoke-tiny/tables/phase_mode1.csv"] = b"algorithm,p\n"


def _lose(listed, contents):
    del contents["smoke-tiny/tables/phase_mode1.csv"]


def _lead_out(listed, contents):
    contents["smoke-tiny/../../evil"] = b""
    listed["files"]["../../evil"] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def _lead_elsewhere(listed, contents):
    listed["folder"] = "../src"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (_damage, "is damaged: tables/phase_mode1.csv is not as it was packed"),
        (_lose, "does not hold the files that its packed.json names"),
        (_lead_out, "which leads out of its folder: not unpacked"),
        (_lead_elsewhere, "is no archive of this project's results"),
    ],
)
def test_a_changed_archive_is_refused(elsewhere, change, sentence):
    name = repacked(elsewhere, change)
    shutil.rmtree(elsewhere.folder / "results")
    assert sentence in unpack(elsewhere, name)
    assert not (elsewhere.folder / "results").exists()
