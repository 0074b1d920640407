import pytest
from project_copy import Project


def pytest_collection_modifyitems(items):
    """Start with the long tests, those of whole runs, so that no worker waits for one at the end."""
    items.sort(key=lambda item: "workflow" not in item.path.parts[-2:])


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
