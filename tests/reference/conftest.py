import shutil

import pytest
from reference.kept import small_reference


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """A folder with the tiny protocol and the reference of its run."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        small_reference(folder)
    shutil.rmtree(folder / "results")
    shutil.rmtree(folder / "src")
    return folder


@pytest.fixture
def here(whole, tmp_path, monkeypatch):
    """A copy of it, to be changed: the working folder."""
    folder = shutil.copytree(whole, tmp_path / "here")
    monkeypatch.chdir(folder)
    return folder
