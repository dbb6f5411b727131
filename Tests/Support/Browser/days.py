"""Bob uses the portal on four days."""
from portal import Browser

# The left and right edges of the parts that pages share, in a window of 1,920 pixels.
EDGES = """return Object.fromEntries([".brand", ".rail", ".search", ".actions > .round", ".tabs", "h1"].map(part => {
    const { left, right } = document.querySelector(part)?.getBoundingClientRect() ?? {}
    return [part, [left, right].map(Math.round)] }))"""


def edges(browser, path):
    return browser.go(path).script(EDGES)


bob = Browser()
# Day one: an account with Apple.
bob.go("/").check("welcome").press("Create account").check("create-account").press("Create account with Apple")
bob.has("Choose a test user").press("bob").is_at("/library").go("/account").has("Your account", "0 B of 5 GB used", "Free")
assert bob.driver.find_element("name", "name").get_attribute("value") == "Bob Example", bob.text
bob.check("account")
# The place of the form that the script shows is free before.
assert bob.script("""const name = document.querySelector("#name"), form = document.querySelector("#picture form")
    const top = name.getBoundingClientRect().top
    form.hidden = true
    return name.getBoundingClientRect().top - top""") == 0
bob.go("/account")
for name, cookie in bob.cookies().items():
    assert name.startswith("__Host-") and cookie["secure"] and cookie["httpOnly"] and cookie["path"] == "/", cookie
    assert cookie["sameSite"] == "Lax", cookie
bob.fill("name", "Bob <b>the & first").press("Save").has("Saved.")
assert bob.driver.find_element("name", "name").get_attribute("value") == "Bob <b>the & first"
# What was typed stays while another language is chosen, and only then.
bob.fill("name", "Bob the second").menu("Deutsch").has("Dein Konto")
assert bob.driver.find_element("name", "name").get_attribute("value") == "Bob the second"
bob.named("Konto und Einstellungen").click()
bob.press("English").has("Your account").go("/account")
assert bob.driver.find_element("name", "name").get_attribute("value") == "Bob <b>the & first"
bob.menu("Sign out").is_at("/").go("/account").is_at("/sign-in").check("sign-in")
bob.has("Last used").press("Sign in with Apple").press("bob").is_at("/account")
bob.go("/account/links").has("You can’t unlink your only sign-in method.").has_not("Unlink")

# Day two: another browser, and the wrong provider.
phone = Browser(agent="Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36")
phone.go("/sign-in")
first = phone.driver.find_elements("css selector", ".choices a")[0].text
assert first == "Sign in with Google", first
phone.press("Sign in with Google").press("bob").is_at("/no-account/google").check("no-account")
phone.has("No account found", "You already have an account with Apple.", "Nothing was created").press("Try Apple").press("bob").is_at("/account/pending")
phone.has("Your Google account is not linked yet.", "bob@photolala.example").check("pending").press("Link Google")
phone.is_at("/account/links").check("links")
assert "Linked by you" in phone.card("Google").text and "Primary" in phone.card("Apple").text
phone.go("/account/pending").is_at("/account")

# Day three: Google signs in to the same account.
laptop = Browser()
laptop.go("/sign-in").press("Sign in with Google").press("bob").is_at("/library")
laptop.go("/account/devices").check("devices").has("Chrome · Linux", "Chrome · Android", "This browser")
assert len(laptop.driver.find_elements("css selector", ".cards > li")) == 3
# From page to page the bar at the top and the rail stay in place. The tabs follow the rail, and the page the tabs.
laptop.driver.set_window_size(1920, 1000)
library, account = edges(laptop, "/library/albums"), edges(laptop, "/account")
for part in (".brand", ".rail", ".search", ".actions > .round"):
    assert account[part] == library[part], f"{part} moves from {library[part]} to {account[part]}"
assert 0 < account[".tabs"][0] - account[".rail"][1] <= 64 and 0 < account["h1"][0] - account[".tabs"][1] <= 64, account
for path in ("/account/links", "/account/devices", "/account/activity", "/account/data", "/account/delete", "/account/confirm"):
    assert edges(laptop, path) == account, f"{path} moves from {account}"
laptop.driver.set_window_size(1280, 900)
# The search works from pages that permit no scripts.
laptop.go("/account/activity").fill("q", "beach").driver.find_element("name", "q").submit()
laptop.arrives("/library?q=beach").go("/account/devices")
# Questions about the account are over its page, and are pages of their own without scripts.
laptop.press("Remove Chrome · Android").check("question").named("Cancel").click()
laptop.until(lambda: not laptop.all("dialog[open]")).is_at("/account/devices").has("Android")
laptop.script_is_off(True).go("/account/devices").press("Remove Chrome · Android").is_at("/account/devices/remove")
laptop.press("Cancel").is_at("/account/devices").has("Android").script_is_off(False).go("/account/devices")
# A sign-in method that was just linked cannot end sessions of an older one; the older one can.
laptop.press("Remove Chrome · Android").press("Remove").has("that you linked earlier")
bob.go("/account/devices").press("Remove Chrome · Android").press("Remove").is_at("/account/devices").has_not("Android")
phone.go("/account").is_at("/sign-in")
laptop.go("/account/activity").check("activity").has("Account created", "Sign-in method linked", "Device removed", "Apple", "Google")

# Day four: unlinking a recently linked method is delayed and undone on another device, then sign out everywhere.
laptop.go("/account/links").press("Unlink Google").check("unlink-later").has("until").press("Unlink")
laptop.is_at("/account/links").check("unlink-pending").has("Google will be unlinked on").has_not("Unlink")
bob.go("/account").has("Google will be unlinked on").press("Review sign-in methods").press("Undo unlinking Google")
bob.is_at("/account/links").has_not("will be unlinked")
bob.go("/account/devices").press("Sign out everywhere").press("Sign out everywhere").is_at("/")
# The sign-in continues to the requested page.
laptop.go("/library/trash").is_at("/sign-in").press("Sign in with Apple").press("bob").is_at("/library/trash")
laptop.go("/nowhere").has("This page doesn’t exist or was removed.").check("not-found")
bob.go("/account").is_at("/sign-in")
for browser in (bob, phone, laptop):
    browser.close()
print("DONE")
