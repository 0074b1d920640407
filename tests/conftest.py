import pytest
from project_copy import Project


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
