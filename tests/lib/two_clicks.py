"""From every number of a built site, at most two clicks to the raw passes behind it. Usage: two_clicks.py SITE

A number is a linked value, a chart, or a table cell with a digit on a page of evidence (a machine, the comparison, the claims). It may lead
by its own link, its row's or its figure's, to a run page, or to a place that links there. What others reported has no passes: it leads to its source.
"""
import os
import posixpath
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "use", "path", "circle", "line", "rect", "hr", "wbr", "source", "col"}
EVIDENCE = re.compile(r"^(machines/|claims\.html|changes\.html)")


class Node:
    def __init__(self, tag, attrs, parent):
        self.tag, self.attrs, self.parent, self.children, self.text = tag, attrs, parent, [], ""

    def has(self, name):
        return name in (self.attrs.get("class") or "").split()

    def walk(self):
        yield self
        for c in self.children:
            yield from c.walk()

    def words(self):
        return self.text + "".join(c.words() for c in self.children if not c.has("sr"))

    def links(self):
        return [n.attrs["href"] for n in self.walk() if n.tag == "a" and n.attrs.get("href")]

    def up(self, test):
        n = self
        while n and not test(n):
            n = n.parent
        return n


class Page(HTMLParser):
    def __init__(self, path, text):
        super().__init__()
        self.path, self.ids = path, {}
        self.root = self.at = Node("", {}, None)
        self.feed(text)
        self.nodes = list(self.root.walk())
        for n in self.nodes:
            if n.attrs.get("id"):
                self.ids[n.attrs["id"]] = n
        self.raw = {i for i, n in self.ids.items() if any(x.has("raw") for x in n.walk())}

    def handle_starttag(self, tag, attrs):
        n = Node(tag, dict(attrs), self.at)
        self.at.children.append(n)
        if tag not in VOID and not (self.get_starttag_text() or "").endswith("/>"):
            self.at = n

    def handle_endtag(self, tag):
        n = self.at.up(lambda x: x.tag == tag)
        if n and n.parent:
            self.at = n.parent

    def handle_data(self, data):
        self.at.text += data


def load(site):
    pages = {}
    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                full = os.path.join(folder, name)
                path = os.path.relpath(full, site)
                with open(full, encoding="utf-8") as f:
                    pages[path] = Page(path, f.read())
    return pages


def target(page, href):
    path, _, anchor = href.partition("#")
    return (posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path)) if path else page.path), anchor


def is_raw(pages, page, href):
    path, anchor = target(page, href)
    if re.match(r"(traces|reference)/[^#]+$", path):  # a recording of the kernel, a file of reported figures
        return True
    there = pages.get(path)
    return bool(there and path.startswith("runs/") and (anchor in there.raw if anchor else there.raw))


def reaches(pages, page, href):
    """1 or 2 clicks; 0: neither."""
    if is_raw(pages, page, href):
        return 1
    path, anchor = target(page, href)
    there = pages.get(path)
    if not there:
        return 0
    at = there.ids.get(anchor) if anchor else there.root
    return 2 if at and any(is_raw(pages, there, h) for h in at.links()) else 0


def numbers(page):
    """What the page shows as (kind, text, links)."""
    for n in page.nodes:
        if n.tag == "a" and n.has("v") and not n.has("missing"):
            href = n.attrs.get("href", "")
            said = n.has("rep") or target(page, href)[0] == "sources.html"
            yield ("reported" if said else "simulated" if n.has("simulated") else "value"), n.words(), [href]
        if n.tag == "figure" and n.has("fig") and not any(x.has("gap") for x in n.walk()):
            code = next((x.words() for x in n.walk() if x.tag == "pre"), "")
            if re.search(r"\b(summary|all_cells|sample|bucket|span|med|lo|hi|noise)\b", code):
                cells = sum(1 for x in n.walk() if x.tag == "td" and re.search(r"\d", x.words()))
                for i in range(1 + cells):
                    yield ("cell of a figure" if i else "figure"), n.attrs.get("id", ""), n.links()
        if n.tag == "td" and EVIDENCE.match(page.path) and re.search(r"\d", n.words()):
            table = n.up(lambda x: x.tag == "table")
            if n.up(lambda x: x.tag == "figure") or not table:
                continue
            row = n.up(lambda x: x.tag == "tr")
            if re.search(r"\b(skipped|refused|failed): ", row.words()):
                continue
            group = n.up(lambda x: x.tag in ("section", "tbody"))
            links = n.links() or row.links()
            if any(is_raw_path(h) for h in (group or row).links()):
                yield ("reported" if any(x.has("rep") for x in n.walk()) else "cell of evidence"), n.words().strip(), links


def is_raw_path(href):
    return "runs/" in href


def main():
    pages = load(sys.argv[1])
    counts, clicks, lost = {}, {1: 0, 2: 0}, []
    for page in pages.values():
        if page.path.startswith("runs/"):
            continue
        for kind, text, links in numbers(page):
            counts[kind] = counts.get(kind, 0) + 1
            if kind in ("reported", "simulated"):  # these lead to their source, or to the scenario
                if not any(target(page, h)[0] in pages for h in links):
                    lost.append((page.path, kind, text))
                continue
            ways = [w for w in (reaches(pages, page, h) for h in links) if w]
            if ways:
                clicks[min(ways)] += 1
            else:
                lost.append((page.path, kind, text, links[:3]))
    for item in lost[:20]:
        print("# no way to raw passes:", *item)
    total = sum(counts.values())
    print("# %d numbers on %d pages: %s; one click %d, two clicks %d, lost %d" % (
        total, len(pages), ", ".join("%s %d" % c for c in sorted(counts.items())), clicks[1], clicks[2], len(lost)))
    return 1 if lost or not total else 0


sys.exit(main())
