"""Requests that are refused because there were too many: nothing is lost, sent twice, or reported as failed."""
import os
from pictures import png
from portal import SERVER, Browser, photolala
from relay import Relay

os.chdir(os.environ["HOME"])
relay = Relay()
bob = Browser(proxy=relay.port)
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
for number in range(4):
    png(f"camera/{number}.png", (number * 60, 99, 200), 640, 480, date=1715767200 + number)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")


def refuses(method, path, wait):
    """Refuses requests until the next call."""
    relay.requests.clear()
    relay.failure = lambda *request: f"busy {wait}" if request == (method, path) else None
    return lambda: [each[::2] for each in relay.requests].count((method, path))


def permits():
    relay.failure = lambda method, path: None


def name():
    return bob.driver.find_element("css selector", "#question[open] [name=name]").get_attribute("value")


def album(text, opener="New album"):
    """Opens the dialog for an album and types its name."""
    bob.go("/library/albums").press(opener).fill("name", text)


# A refused form stays in its dialog with what was typed, says for how long it waits, and is sent by itself.
album("Lake")
count = refuses("POST", "/library/albums", 2)
bob.named("Create").click()
bob.has_soon("This is sent again by itself in 2 seconds.")
assert name() == "Lake" and count() == 1, count()
bob.check("refused-dialog")
permits()
bob.until(lambda: bob.path.startswith("/library?album="), "it is not sent again").has("Lake")

# Pressed again before, it is sent once.
album("Sea")
count = refuses("POST", "/library/albums", 3)
bob.named("Create").click()
bob.has_soon("in 3 seconds")
permits()
for _ in range(2):
    bob.script("document.querySelector('#question form').requestSubmit()")
bob.until(lambda: bob.path.startswith("/library?album="))
assert count() == 2, count()

# What is changed during the wait is sent only by the person.
album("Riv")
count = refuses("POST", "/library/albums", 1)
bob.named("Create").click()
bob.has_soon("in 1 second")
bob.driver.find_element("name", "name").send_keys("er")
bob.has_soon("Try again later.")
permits()
bob.driver.execute_async_script("setTimeout(arguments[0], 2000)")
assert count() == 1 and name() == "River", count()
bob.press("Create").has("River")

# A closed dialog sends nothing.
album("Pond")
count = refuses("POST", "/library/albums", 1)
bob.named("Create").click()
bob.has_soon("in 1 second").named("Cancel").click()
bob.driver.execute_async_script("setTimeout(arguments[0], 2000)")
assert count() == 1 and not bob.all("#question[open]"), count()

# A refusal that names no usable time says so, and the next press is an attempt.
for wait in ["", "soon", "-5", "0", "NaN", "Infinity", "1e9", "99999999999999999999", "Wed, 21 Oct 2026 07:28:00 GMT"]:
    permits()
    album(f"Bay {wait}")
    count = refuses("POST", "/library/albums", wait)
    bob.named("Create").click()
    bob.has_soon("Too many requests. Try again later.")
    assert name() == f"Bay {wait}" and count() == 1, (wait, count())
bob.named("Create").click()
bob.until(lambda: count() == 2).has_soon("Try again later.")
permits()
bob.press("Create").has("Bay Wed")

# What opens a dialog is requested again.
bob.go("/library/albums")
count = refuses("GET", "/library/albums/new", 1)
bob.named("New album").click()
bob.until(lambda: count() == 1)
permits()
bob.until(lambda: bob.all("#question[open] [name=name]"), "the dialog does not open").named("Cancel").click()

# The page after a form is requested again, and the form is sent once.
album("Fjord")
count = refuses("GET", "/library", 3)
bob.named("Create").click()
bob.has_soon("What you sent has been processed.")
assert count() == 1 and [each[0] for each in relay.requests].count("POST") == 1
permits()
bob.until(lambda: bob.path.startswith("/library?album="), "the album is not shown").has("Fjord")
assert [each[0] for each in relay.requests].count("POST") == 1

# So is the page after an act on photos, which stays done and can be undone.
bob.go("/library").choose(0)
bob.until(lambda: bob.all(".bar"))
count = refuses("GET", "/library", 2)
bob.named("Move to trash").click()
bob.until(lambda: count() == 1 and bob.all(".leaving"), "the photo stays")
permits()
bob.until(lambda: len(bob.all(".grid li")) == 3, "the list is not replaced").has_soon("1 item moved to trash")
assert [each[0] for each in relay.requests].count("POST") == 1
bob.press("Undo").until(lambda: len(bob.all(".grid li")) == 4, "the undo is missing")

# Of two acts in a row, the second one is sent after the page of the first one; leaving before that asks.
bob.choose(0)
count = refuses("GET", "/library", 4)
bob.named("Move to trash").click()
bob.until(lambda: count() == 1).choose(1)
bob.named("Move to trash").click()
bob.until(lambda: len(bob.all(".leaving")) == 2)
asked = "const event = new Event('beforeunload', { cancelable: true }); dispatchEvent(event); return event.defaultPrevented"
assert bob.script(asked) and [each[0] for each in relay.requests].count("POST") == 1
permits()
bob.until(lambda: len(bob.all(".grid li")) == 2, "an act is lost")
assert [each[0] for each in relay.requests].count("POST") == 2 and not bob.script(asked)
bob.go("/library/trash").choose(0).choose(1).named("Restore").click()
bob.until(lambda: not bob.all(".grid li"), "the photos stay in the trash").go("/library")

# If it stays refused, the browser opens it.
bob.choose(0)
count = refuses("GET", "/library", 9999)
bob.named("Move to trash").click()
bob.until(lambda: count() == 2, "the browser does not open the page")
assert [each[0] for each in relay.requests].count("POST") == 1
permits()
bob.go("/library").until(lambda: len(bob.all(".grid li")) == 3)

# An act that is refused itself is taken back, and the photos are selected again.
bob.choose(0)
count = refuses("POST", "/library/trash", 1)
bob.named("Move to trash").click()
bob.until(lambda: count() == 1 and not bob.all(".leaving") and len(bob.all(".grid :checked")) == 1, "it is not taken back")
permits()

# The viewer sends no form twice, and one that was refused itself again.
bob.go(bob.go("/library").all(".grid a")[0].get_attribute("href")).until(lambda: bob.all("#favorite"))
count = refuses("GET", "/library/photo", 1)
bob.all("#favorite")[0].click()
bob.until(lambda: bob.all("#favorite[aria-pressed=true]"), "the favorite is not shown")
assert [each[0] for each in relay.requests].count("POST") == 1
count = refuses("POST", "/library/favorites", 2)
for _ in range(2):
    bob.all("#favorite")[0].click()
bob.until(lambda: count() == 1)
permits()
bob.until(lambda: bob.all("#favorite[aria-pressed=false]"), "the favorite stays")
assert count() == 2 and bob.path.startswith("/library/photo"), count()

# Without scripts, the bar of the selection is shown once a photo is selected.
bob.script_is_off(True).go("/library")
assert not bob.all("#chosen > .bar")[0].is_displayed()
bob.all(".grid input")[0].click()
assert bob.all("#chosen > .bar")[0].is_displayed()
bob.script_is_off(False).check("selected-without-scripts")
relay.stop()
bob.close()
print("DONE")
