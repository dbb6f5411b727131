"""Failures between a browser, the portal and a provider."""
from portal import SERVER, Browser

bob = Browser()
# A person may use another loopback name than the server's.
bob.go(SERVER.replace("127.0.0.1", "localhost") + "/create-account").is_at("/create-account")

# Cancelling at the provider changes nothing and shows a message.
bob.go("/create-account").press("Create account with Apple").press("Cancel").check("sign-in-cancelled")
bob.has("Sign-in not completed", "Sign-in with Apple was not completed").press("Try again").is_at("/create-account")
bob.press("Create account with Google").press("Cancel").has("Sign-in with Google was not completed").press("Try again")
bob.go("/account").is_at("/sign-in")

# Two sign-ins in two tabs both complete.
bob.go("/create-account")
first = bob.driver.current_window_handle
bob.press("Create account with Apple")
bob.driver.switch_to.new_window("tab")
second = bob.driver.current_window_handle
bob.go("/sign-in").press("Sign in with Google")
bob.driver.switch_to.window(first)
bob.press("bob").is_at("/library")
bob.driver.switch_to.window(second)
bob.press("alice").is_at("/no-account/google")
# A pending identity is not offered to Carol, who signs in next on the same browser.
bob.go("/create-account").press("Create account with Google").press("carol").is_at("/library")
assert "__Host-photolala-pending" not in bob.cookies()
bob.go("/account/pending").is_at("/account")
bob.go("/account").menu("Sign out").is_at("/")
bob.go("/sign-in").press("Sign in with Apple").press("bob").is_at("/library")
bob.driver.close()
bob.driver.switch_to.window(first)

# The back button opens valid pages and repeats no act.
bob.go("/account").driver.back()
bob.driver.back()
bob.go("/account").is_at("/account").has("Your account")
bob.go("/account/links").driver.back()
bob.is_at("/account")

# An old link starts nothing and shows no error; it redirects to the page with a valid link.
bob.go("/sign-in/apple").is_at("/sign-in")
bob.go("/account/link/google").is_at("/account/links")
bob.go("/account/confirm").check("confirm").press("Continue with Apple").press("bob").is_at("/account")

# A callback in another browser than the one that started the request is rejected and signs in no one.
bob.go("/account/links").press("Link Google")
asked = bob.driver.current_url
eve = Browser()
eve.go(asked).press("alice").check("authorization-ended").has("Sign-in expired")
assert "__Host-photolala-session" not in eve.cookies()
eve.go("/account").is_at("/sign-in")
bob.press("bob").is_at("/account/links").has("Google")

# Creating an account that already exists offers to sign in.
eve.go("/create-account").press("Create account with Apple").press("bob").has("You already have an account").check("exists")
eve.press("Sign in with Apple").press("bob").is_at("/library")

# A form from another site has no effect: it is refused, and the browser sends no cookies with it.
eve.go("data:text/html,<form method=post action='%s/account/sign-out-everywhere'><input name=form_token value=x>"
       "<button>Win a prize</button></form>" % SERVER)
eve.driver.find_element("css selector", "button").click()
eve.arrives("/account/sign-out-everywhere").check("foreign-form")
eve.driver.get(SERVER + "/account")
eve.is_at("/account").has("Your account")

# Another site cannot show the library in a frame, also not the sign-in to which it redirects.
eve.go("data:text/html,<iframe src='%s/library'></iframe>" % SERVER)
eve.driver.switch_to.frame(0)
assert eve.script("return location.href") == "chrome-error://chromewebdata/", eve.driver.page_source
eve.driver.switch_to.default_content()

# After the session was ended on another device, the next act redirects to the sign-in without an error.
bob.go("/account/devices")
eve.go("/account/devices").press("Sign out everywhere").press("Sign out everywhere").is_at("/")
bob.press("Sign out everywhere").is_at("/sign-in")

# Without cookies sign-in is impossible, and the page explains the remedy.
shy = Browser(blocks_cookies=True)
shy.go("/sign-in").press("Sign in with Apple").check("cookies").has("Cookies required").press("Try again")
shy.is_at("/sign-in")
for browser in (bob, eve, shy):
    browser.close()
print("DONE")
