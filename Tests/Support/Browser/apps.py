"""Sign-in of apps through the browser: Authlib as a local app, then the command line."""
import json, os, subprocess, time, urllib.parse
import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from portal import SERVER, Browser

meta = requests.get(SERVER + "/.well-known/oauth-authorization-server").json()
assert meta["issuer"] == SERVER and meta["code_challenge_methods_supported"] == ["S256"], meta
VERIFIER = "v" * 64


def app(port):
    return OAuth2Session(
        "org.example.web", redirect_uri=f"http://127.0.0.1:{port}/back", token_endpoint_auth_method="none",
        code_challenge_method="S256", scope="")


def answer(browser):
    """Returns the redirect URL and its query. No app listens on the port; only the URL matters."""
    told = browser.driver.current_url
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(told).query))
    assert query["iss"] == SERVER, query
    return told, query


bob = Browser()
client = app(9)
url, state = client.create_authorization_url(meta["authorization_endpoint"], code_verifier=VERIFIER, prompt="create")
# Signed out: the person creates an account on the way, and the page names the app before it is authorized.
# The app's request is preserved even through the wrong page.
bob.go(url).is_at("/create-account").press("Sign in").press("Sign in with Google").press("Cancel")
bob.press("Try again").press("Sign in with Google").press("bob").is_at("/no-account/google")
bob.press("Create account with Google").is_at("/authorize")
bob.check("authorize").has("Sign in to Example?", "Allow access only if you started this sign-in")
bob.leave("Allow")
told, query = answer(bob)
assert query["state"] == state
token = client.fetch_token(meta["token_endpoint"], authorization_response=told, code_verifier=VERIFIER)
assert token["token_type"] == "Bearer" and token["expires_in"] > 3500, token
me = requests.get(f"{SERVER}/users/{token['user_id']}", headers={"Authorization": f"Bearer {token['access_token']}"})
assert me.status_code == 200 and me.json()["primaryProvider"] == "google", me.text
again = client.refresh_token(meta["token_endpoint"], refresh_token=token["refresh_token"])
assert again["access_token"] != token["access_token"] and again["user_id"] == token["user_id"]

# A used code, another verifier, an unregistered redirect URI, no PKCE.
for change in ({}, {"code_verifier": "w" * 64}):
    try:
        app(9).fetch_token(meta["token_endpoint"], authorization_response=told, state=state,
                           **{"code_verifier": VERIFIER, **change})
        raise SystemExit("a used code was accepted")
    except OAuthError as error:
        assert error.error == "invalid_grant", error
for path, wanted in [
    (url.replace("127.0.0.1%3A9%2Fback", "evil.example%2Fback"), "request is not valid"),
    (url.replace("org.example.web", "org.example.other"), "request is not valid"),
]:
    bob.go(path).has(wanted)
bob.leave_to(url.replace("code_challenge=", "no_challenge="))
assert answer(bob)[1]["error"] == "invalid_request"

# Signed in, the page asks again, and a denial is reported to the app.
url, state = client.create_authorization_url(meta["authorization_endpoint"], code_verifier=VERIFIER)
bob.go(url).is_at("/authorize").leave("Deny")
assert answer(bob)[1]["error"] == "access_denied" and answer(bob)[1]["state"] == state

# The token endpoint returns OAuth errors for invalid requests.
for form, error in [({"grant": "x"}, "unsupported_grant_type"), ({"grant_type": "password"}, "unsupported_grant_type"),
                    ({"grant_type": "authorization_code"}, "invalid_request"),
                    ({"grant_type": "refresh_token", "refresh_token": "x"}, "invalid_request"),
                    ({"grant_type": "refresh_token", "refresh_token": "x", "client_id": "photolala"}, "invalid_grant")]:
    refused = requests.post(meta["token_endpoint"], data=form)
    assert refused.status_code == 400 and refused.json()["error"] == error, refused.text
    assert refused.headers["cache-control"] == "no-store"
assert requests.get(meta["token_endpoint"]).status_code == 405

# The command line prints the URL, and the browser redirects back to it.
def photolala(*words, **more):
    return subprocess.Popen(
        [os.environ["PHOTOLALA"], *words, "--server", SERVER, "--profile-dir", os.environ["PROFILE"], "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def address(process):
    for line in process.stderr:
        if line.startswith(SERVER):
            return line.strip()


waiting = photolala("signin", "--no-browser", "--device-name", "Bob's <laptop>")
bob.go(address(waiting)).is_at("/authorize").has("Sign in to photolala?", "Linux").check("authorize-cli")
bob.leave("Allow")
assert "Return to the command line" in bob.driver.page_source
out, _ = waiting.communicate(timeout=60)
assert waiting.returncode == 0 and json.loads(out)["user"]["serviceUserID"] == token["user_id"], out
who = photolala("whoami")
assert json.loads(who.communicate()[0])["user"]["serviceUserID"] == token["user_id"]
bob.go("/account/devices").has("Bob's <laptop>")

# After a denial the command line reports not_allowed.
photolala("signout").communicate()
waiting = photolala("signin", "--no-browser")
bob.go(address(waiting)).leave("Deny")
out, _ = waiting.communicate(timeout=60)
assert waiting.returncode == 65 and json.loads(out)["error"]["code"] == "not_allowed", out

# A machine without a browser shows a code, which the person types in another browser.
def codes(process):
    """Returns the code that the command line prints."""
    return [process.stderr.readline() for _ in range(2)][1].strip()


waiting = photolala("signin", "--device-code", "--device-name", "Server")
code = codes(waiting)
# A URL with a code opens the same empty form.
assert not bob.go("/device?user_code=" + code).driver.find_element("name", "user_code").get_attribute("value")
bob.go("/device").check("device-code").fill("user_code", "BBBB-BBBB-BBBB").press("Continue").has("This code is wrong")
bob.fill("user_code", code.lower().replace("-", " ")).press("Continue").check("device-allow").has("Linux").has_not("Server")
bob.press("Allow").check("device-allowed").has("Device approved")
out, _ = waiting.communicate(timeout=60)
assert waiting.returncode == 0 and json.loads(out)["user"]["serviceUserID"] == token["user_id"], out
photolala("signout").communicate()
waiting = photolala("signin", "--device-code")
bob.go("/account").menu("Sign out").go("/device").is_at("/sign-in").press("Sign in with Google").press("bob")
bob.is_at("/device").fill("user_code", codes(waiting)).press("Continue").press("Deny").has("Device not approved")
out, _ = waiting.communicate(timeout=60)
assert waiting.returncode == 65 and json.loads(out)["error"]["code"] == "not_allowed", out

# The same device grant with plain HTTP requests.
issued = requests.post(meta["device_authorization_endpoint"], data={"client_id": "org.example.web"})
assert issued.status_code == 200 and issued.headers["cache-control"] == "no-store", issued.text
waits = issued.json()
assert waits["verification_uri"] == SERVER + "/device" and waits["expires_in"] == 600 and waits["interval"] == 5, waits
grant = {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": waits["device_code"],
         "client_id": "org.example.web"}
assert grant["grant_type"] in meta["grant_types_supported"]
asked = requests.post(meta["token_endpoint"], data=grant)
assert asked.status_code == 400 and asked.json()["error"] == "authorization_pending", asked.text
early = requests.post(meta["token_endpoint"], data=grant)
assert early.status_code == 400 and early.json()["error"] == "slow_down", early.text
assert "verification_uri_complete" not in waits, waits
bob.go("/device").fill("user_code", waits["user_code"]).press("Continue").has("Sign in to Example?").press("Allow")
time.sleep(10)
assert requests.post(meta["token_endpoint"], data=grant).json()["user_id"] == token["user_id"]
time.sleep(10)
assert requests.post(meta["token_endpoint"], data=grant).json()["error"] == "invalid_grant"
unknown = requests.post(meta["device_authorization_endpoint"], data={"client_id": "unknown"})
assert unknown.status_code == 401 and unknown.json()["error"] == "invalid_client", unknown.text
bob.close()
print("DONE")
