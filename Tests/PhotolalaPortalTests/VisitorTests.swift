import PhotolalaAPI
import Testing

@testable import PhotolalaPortal

/// Parsing input from browsers and providers.
@Suite struct VisitorTests {
    @Test(
        "a browser gets a readable name from its User-Agent",
        arguments: [
            ("", "Browser"), ("curl/8", "Browser"),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox · Linux"),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605 Version/17.5 Mobile/15E Safari/604",
                "Safari · iPhone"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537 Chrome/126.0 Safari/537 Edg/126.0",
                "Edge · Windows"
            ),
            ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537 Chrome/126.0 Mobile Safari/537", "Chrome · Android"),
        ])
    func names(_ agent: String, _ name: String) { #expect(BrowserName.name(of: agent) == name) }

    @Test("a name that Apple posts is parsed, and malformed user data gives no name")
    func appleUser() {
        #expect(AppleUser.name(#"{"name":{"firstName":"Bob","lastName":"Example"},"email":"b@x"}"#) == "Bob Example")
        #expect(AppleUser.name(#"{"name":{"lastName":"Only"}}"#) == "Only")
        #expect(AppleUser.name(#"{"name":{"firstName":"\#(String(repeating: "n", count: 300))"}}"#)?.count == 200)
        for text in [
            "", "{}", "[]", #"{"name":{"firstName":""}}"#, #"{"name":1}"#, String(repeating: "{", count: 5000),
        ] {
            #expect(AppleUser.name(text) == nil)
        }
    }
}
