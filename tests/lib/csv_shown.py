"""The CSV file of each figure against the table on its page, cell by cell; of more than 500 rows the page shows 50, and says so.
Usage: csv_shown.py SITE"""
import csv
import html
import os
import re
import sys

site, compared, wrong = sys.argv[1], 0, 0
for folder, _, names in os.walk(site):
    for name in names:
        if not name.endswith(".html"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            text = f.read()
        for figure in re.findall(r'<figure class="fig".*?</figure>', text, re.S):
            link, table = re.search(r'href="([^"]*\.csv)" download', figure), re.search(r"<table>.*?</table>", figure, re.S)
            if not link or not table:
                continue
            shown = [[html.unescape(re.sub("<[^>]*>", "", c)) for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)]
                     for row in re.findall(r"<tr>(.*?)</tr>", table[0], re.S)]
            with open(os.path.join(folder, link[1]), encoding="utf-8", newline="") as f:
                data = f.read()
            rows = list(csv.reader(data.splitlines()))
            compared += sum(map(len, rows))
            if len(rows) > 501:
                said = "<p>The first 50 of %d rows; the CSV file has all.</p>" % (len(rows) - 1)
                differ = rows[:51] != shown or said not in figure
            else:
                differ = rows != shown or "rows; the CSV file has all" in figure
            if differ or data.count("\r\n") != len(rows):
                wrong += 1
                print("# %s: %s differs" % (name, link[1]))
print("# %d cells compared, %d figures differ" % (compared, wrong))
sys.exit(1 if wrong or not compared else 0)
