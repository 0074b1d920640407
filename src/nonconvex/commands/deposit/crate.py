"""RO-Crate: what a folder of results holds and what made it, in JSON-LD that archives of data can read.

See https://w3id.org/ro/crate/1.1.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nonconvex.commands.deposit.citation import authors, read_citation

FILE = "ro-crate-metadata.json"
VERSION = "https://w3id.org/ro/crate/1.1"
FORMATS = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "pdf": "application/pdf",
    "png": "image/png",
    "svg": "image/svg+xml",
    "xz": "application/x-xz",
    "yaml": "application/yaml",
    "yml": "application/yaml",
}

Entity = dict[str, Any]


def crate_text(root: Path, name: str, description: str, files: Mapping[str, str | None]) -> str:
    """Return the crate of a folder.

    Parameters
    ----------
    root : path
        The project's top folder, which holds ``CITATION.cff``.
    name, description : str
        Of the folder.
    files : dict
        What it holds: sha256 by name, None for a file that names this one's.
    """
    project, thesis = read_citation(root)
    licence = f"https://spdx.org/licenses/{project['license']}"
    makers = [
        {"@id": f"#maker{i}", "@type": "Organization", "name": n} for i, n in enumerate(authors(project))
    ]
    writers = [{"@id": f"#author{i}", "@type": "Person", "name": n} for i, n in enumerate(authors(thesis))]
    software = {
        "@id": "#software",
        "@type": "SoftwareSourceCode",
        "name": project["title"],
        "version": str(project["version"]),
        "license": {"@id": licence},
        "author": _ids(makers),
        "programmingLanguage": "Python",
    }
    about = {
        "@id": "#thesis",
        "@type": "Thesis",
        "name": thesis["title"],
        "author": _ids(writers),
        "datePublished": str(thesis["year"]),
        "publisher": {"@id": "#university"},
    }
    parts = [_file(file, sha256) for file, sha256 in sorted(files.items())]
    folder = {
        "@id": "./",
        "@type": "Dataset",
        "name": name,
        "description": description,
        "datePublished": str(project["date-released"]),
        "license": {"@id": licence},
        "author": _ids(makers),
        "publisher": _ids(makers),
        "about": {"@id": "#thesis"},
        "mentions": {"@id": "#run"},
        "hasPart": _ids(parts),
    }
    run = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"The run that made the {name}",
        "instrument": {"@id": "#software"},
        "result": {"@id": "./"},
    }
    described = {
        "@id": FILE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": VERSION},
        "about": {"@id": "./"},
    }
    others = [
        {"@id": "#university", "@type": "Organization", "name": thesis["institution"]["name"]},
        {"@id": licence, "@type": "CreativeWork", "name": project["license"]},
    ]
    graph = [described, folder, software, run, about, *makers, *writers, *others, *parts]
    return (
        json.dumps({"@context": f"{VERSION}/context", "@graph": graph}, indent=1, ensure_ascii=False) + "\n"
    )


def _file(name: str, sha256: str | None) -> Entity:
    entity = {"@id": name, "@type": "File", "name": Path(name).name}
    if encoding := FORMATS.get(Path(name).suffix[1:]):
        entity["encodingFormat"] = encoding
    return entity if sha256 is None else entity | {"sha256": sha256}


def _ids(entities: list[Entity]) -> Entity | list[Entity]:
    """Return references to entities; one alone is no list, as the specification recommends."""
    ids = [{"@id": entity["@id"]} for entity in entities]
    return ids[0] if len(ids) == 1 else ids
