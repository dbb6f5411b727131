"""What goes wrong between a browser, the portal and a provider."""
from portal import SERVER, Browser

bob = Browser()
# This machine has two names; the one that a person types may not be the server's.
bob.go(SERVER.replace("127.0.0.1", "localhost") + "/create-account").is_at("/create-account")

# Whoever turns back at the provider has done nothing, and is told so.
bob.go("/create-account").press("Create account with Apple").press("Cancel").check("turned-back")
bob.has("Sign-in not completed", "Sign-in with Apple was not completed").press("Try again").is_at("/create-account")
bob.press("Create account with Google").press("Cancel").has("Sign-in with Google was not completed").press("Try again")
bob.go("/account").is_at("/sign-in")

# Two tabs, each on its own way: both arrive.
bob.go("/create-account")
first = bob.driver.current_window_handle
bob.press("Create account with Apple")
bob.driver.switch_to.new_window("tab")
second = bob.driver.current_window_handle
bob.go("/sign-in").press("Sign in with Google")
bob.driver.switch_to.window(first)
bob.press("bob").is_at("/account")
bob.driver.switch_to.window(second)
bob.press("alice").is_at("/no-account/google")
# What was proved here is offered to nobody else: Carol, who signs in next, hears nothing of it.
bob.go("/create-account").press("Create account with Google").press("carol").is_at("/account")
assert "__Host-photolala-pending" not in bob.cookies()
bob.go("/account/pending").is_at("/account")
bob.go("/account").press("Sign out").is_at("/")
bob.go("/sign-in").press("Sign in with Apple").press("bob").is_at("/account")
bob.driver.close()
bob.driver.switch_to.window(first)

# The back button leads to pages that still make sense, and to nothing that acts twice.
bob.go("/account").driver.back()
bob.driver.back()
bob.go("/account").is_at("/account").has("Your account")
bob.go("/account/links").driver.back()
bob.is_at("/account")

# A kept link begins nothing and says nothing bad; it leads to the page that has a good one.
bob.go("/sign-in/apple").is_at("/sign-in")
bob.go("/account/link/google").is_at("/account/links")
bob.go("/account/confirm").check("confirm").press("Continue with Apple").press("bob").is_at("/account")

# An answer that was copied into another browser is worth nothing there: nobody is signed in as somebody else.
bob.go("/account/links").press("Link Google")
asked = bob.driver.current_url
eve = Browser()
eve.go(asked).press("alice").check("round-ended").has("This sign-in has expired")
assert "__Host-photolala-session" not in eve.cookies()
eve.go("/account").is_at("/sign-in")
bob.press("bob").is_at("/account/links").has("Google")

# Creating what is there already leads to signing in.
eve.go("/create-account").press("Create account with Apple").press("bob").has("You already have an account").check("exists")
eve.press("Sign in with Apple").press("bob").is_at("/account")

# A form that another site made up acts on nobody's account: its request brings no cookies.
eve.go("data:text/html,<form method=post action='%s/account/sign-out-everywhere'><input name=form_token value=x>"
       "<button>Win a prize</button></form>" % SERVER)
eve.driver.find_element("css selector", "button").click()
eve.arrives("/sign-in")
eve.driver.get(SERVER + "/account")
eve.is_at("/account").has("Your account")

# A session that was ended elsewhere: the next press leads to signing in, and to no error.
bob.go("/account/devices")
eve.go("/account/devices").press("Sign out everywhere").press("Sign out everywhere").is_at("/")
bob.press("Sign out everywhere").is_at("/sign-in")

# Without cookies nothing can be opened, and the page says what to do.
shy = Browser(blocks_cookies=True)
shy.go("/sign-in").press("Sign in with Apple").check("cookies").has("Cookies are needed").press("Try again")
shy.is_at("/sign-in")
for browser in (bob, eve, shy):
    browser.close()
print("DONE")
