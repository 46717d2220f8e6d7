"""Every SVG file below a folder, and every SVG element of its pages, is well-formed XML, draws only with our elements, names no script and
holds only finite numbers. Usage: svg_parses.py FOLDER"""
import os
import re
import sys
import xml.etree.ElementTree as ET

KNOWN = set("svg g title desc style rect line circle path text mask image use defs polygon".split())
folder, n, wrong = sys.argv[1], 0, 0


def problem(text):
    try:
        root = ET.fromstring(text)
    except ET.ParseError as e:
        return str(e)
    for e in root.iter():
        tag = e.tag.rpartition("}")[2]
        if tag not in KNOWN:
            return f"element {tag}"
        for name, value in e.attrib.items():
            name = name.rpartition("}")[2]
            if name.startswith("on") or (name == "href" and not value.startswith(("data:image/png;base64,", "#"))):
                return f"attribute {name}"
            if name in ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "dx", "d") and re.search("nan|inf|e[+]?[0-9]{3}", value):
                return f"{name}={value[:40]}"
    return ""


for at, _, names in os.walk(folder):
    for name in sorted(names):
        if not name.endswith((".svg", ".html")):
            continue
        with open(os.path.join(at, name), encoding="utf-8", newline="") as f:
            text = f.read()
        if name.endswith(".html"):
            # Outermost elements only: charts hold systems of their own.
            plots, depth, start = [], 0, 0
            for m in re.finditer(r"<svg\b[^>]*?(/?)>|</svg>", text):
                if m[0].startswith("</"):
                    depth -= 1
                    if depth == 0:
                        plots.append(text[start:m.end()])
                elif not m[1]:
                    start = m.start() if depth == 0 else start
                    depth += 1
            plots = [p for p in plots if 'class="plot"' in p]
            if depth:
                print(f"{name}: an svg element is not closed")
                wrong += 1
        else:
            plots = [text]
        for plot in plots:
            n += 1
            found = problem(plot)
            if found:
                wrong += 1
                print(f"{name}: {found}")
print(f"# {n} charts parsed")
sys.exit(1 if wrong or not n else 0)
