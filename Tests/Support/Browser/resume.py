"""Bob uploads long videos, which resume from their parts after an interruption."""
import json, os, pathlib
import requests
from pictures import long
from portal import Browser

PART = 8 << 20

os.chdir(os.environ["HOME"])
FOLDER = pathlib.Path("pictures")


def unfinished():
    """Returns the uploads that the browser remembers."""
    return list(json.loads(bob.script("return localStorage.getItem('uploads')") or "{}").values())


def sent():
    """Returns the numbers of the parts that this page sent, each time that it did."""
    names = bob.script("return performance.getEntriesByType('resource').map(entry => entry.name)")
    return [int(name.split("partNumber=")[1].split("&")[0]) for name in names if "partNumber=" in name]


def interrupt(file):
    """Uploads the first two parts of a file."""
    bob.go("/library").blocks("*partNumber=3&*").bring([file])
    bob.until(lambda: len(unfinished()) == 1 and sorted(unfinished()[0]["tags"]) == ["1", "2"], "two parts are not sent")
    # The third part is repeated alone.
    bob.until(lambda: sent().count(3) >= 2, "the part is not repeated")
    assert sorted(set(sent())) == [1, 2, 3] and sent().count(1) == sent().count(2) == 1, sent()


def close():
    """Closes the page in the middle of an upload, and opens another one."""
    old = bob.driver.current_window_handle
    bob.driver.switch_to.new_window("tab")
    new = bob.driver.current_window_handle
    bob.driver.switch_to.window(old)
    bob.driver.close()
    bob.driver.switch_to.window(new)
    bob.go("/library")


def is_stored(file):
    """Checks that the newest photo has the bytes of a file."""
    bob.go("/library").all("#timeline a")[0].click()
    bob.arrives("/library/photo")
    answer = requests.get(bob.named("Download").get_attribute("href"), cookies=bob.cookie_values())
    assert answer.content == pathlib.Path(file).read_bytes(), len(answer.content)


bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")

# A file that is chosen again after the page was closed continues with the missing parts.
film = long(FOLDER / "film.png", 1, 60 << 20)
interrupt(film)
close()
bob.bring([film]).has_soon("In your photos: 1 of 1.")
assert sent() == [3, 4, 5, 6, 7, 8], sent()
assert unfinished() == [], unfinished()
is_stored(film)

# The parts of a file that changed are not used.
changed = long(FOLDER / "changed.png", 2)
interrupt(changed)
close()
with open(changed, "r+b") as file:
    file.seek(PART - 3)
    file.write(b"changed")
bob.bring([changed]).has_soon("In your photos: 1 of 1.")
assert sent() == [1, 2, 3, 4, 5], sent()
is_stored(changed)
bob.script("localStorage.clear()")

# A cancelled upload is removed from the browser and from the store, and starts again without an error.
cancelled = long(FOLDER / "cancelled.png", 3)
interrupt(cancelled)
record = bob.script("return localStorage.getItem('uploads')")
bob.named("Cancel").click()
bob.until(lambda: unfinished() == [], "the upload is remembered")
bob.until(lambda: bob.script("return performance.getEntriesByType('resource').filter("
                             "({ name, responseEnd }) => responseEnd > 0 && /\\?.*uploadId=/.test(name)"
                             " && !name.includes('partNumber=')).length") == 1, "the parts are not removed")
close()
bob.script(f"localStorage.setItem('uploads', {json.dumps(record)})")
bob.bring([cancelled]).has_soon("In your photos: 1 of 1.")
assert sent() == [3, 1, 2, 3, 4, 5], sent()
bob.has_not("Retrying", "failed")
is_stored(cancelled)

# Paused uploads go on with the missing parts in the same page, and signing out removes what the browser remembers.
left = long(FOLDER / "left.png", 4)
interrupt(left)
bob.named("Pause").click()
bob.blocks().named("Resume").click()
bob.has_soon("In your photos: 1 of 1.")
assert sent().count(1) == sent().count(2) == 1, sent()
interrupt(long(FOLDER / "other.png", 5))
close()
bob.menu("Sign out").is_at("/")
bob.go("/sign-in").press("Sign in with Apple").press("bob").is_at("/library")
assert unfinished() == [], unfinished()
bob.close()
print("DONE")
