import Testing

@testable import Sessions

/// Comparison of URLs by RFC 3986 sections 6.2.2 and 6.2.3.
@Suite struct TargetURITests {
    private static let uri = "https://photos.example/users/a-b"

    @Test(
        "equivalent forms of a URL compare as equal",
        arguments: [
            "https://photos.example/users/a-b", "HTTPS://Photos.Example/users/a-b",
            "https://photos.example:443/users/a-b", "https://photos.example:/users/a-b",
            "https://photos.example/users/%61%2Db", "https://photos.example/users/%61%2db",
            "https://photos.example/users/./a-b", "https://photos.example/x/../users/a-b",
            "https://photos.example/users/a-b?before=1", "https://photos.example/users/a-b#x",
            "https://photos.example/users/a-b?a#b", "https://%70hotos.example/users/a-b",
            "https://photos.example/../users/a-b",
        ])
    func same(_ other: String) {
        #expect(TargetURI.isEquivalent(other, to: Self.uri))
    }

    @Test(
        "other URLs, and text that is not a URL, compare as different",
        arguments: [
            "http://photos.example/users/a-b", "https://photos.example:444/users/a-b",
            "https://photos.example:80/users/a-b", "https://photos.example/users/A-b",
            "https://photos.example/users/a-b/", "https://photos.example//users/a-b", "https://photos.example",
            "https://photos.example.org/users/a-b", "https://bob@photos.example/users/a-b",
            "https://photos.example/users%2Fa-b", "https://photos.example/users/a-b%", "/users/a-b", "", "https://",
            "https:///users/a-b", "https://photos.example:99999/users/a-b", "https://photos.example:x/users/a-b",
            "https://photos.example/users/ä", "https://photos.example /users/a-b", "ftp://photos.example/users/a-b",
            "https://[photos.example/users/a-b",
        ])
    func different(_ other: String) {
        #expect(!TargetURI.isEquivalent(other, to: Self.uri))
        #expect(!TargetURI.isEquivalent(Self.uri, to: other))
    }

    @Test("two equal texts that are not URLs compare as different")
    func neither() {
        #expect(!TargetURI.isEquivalent("x", to: "x"))
    }

    @Test("an empty path equals the root")
    func root() {
        #expect(TargetURI.isEquivalent("https://photos.example", to: "https://photos.example/"))
    }

    @Test("a reserved character differs from its escaped form, whose digits are case-insensitive")
    func reserved() {
        #expect(TargetURI.isEquivalent("https://a.example/x%2fy", to: "https://a.example/x%2Fy"))
        #expect(!TargetURI.isEquivalent("https://a.example/x%2fy", to: "https://a.example/x/y"))
    }

    @Test("the loopback names of a machine compare as equal on one port")
    func loopback() {
        let uri = "http://127.0.0.1:8080/auth/refresh"
        #expect(TargetURI.isEquivalent("http://localhost:8080/auth/refresh", to: uri))
        #expect(TargetURI.isEquivalent("http://[::1]:8080/auth/refresh", to: uri))
        #expect(!TargetURI.isEquivalent("http://localhost:8081/auth/refresh", to: uri))
        #expect(!TargetURI.isEquivalent("http://127.0.0.1.example:8080/auth/refresh", to: uri))
        #expect(!TargetURI.isEquivalent("http://localhost/auth/refresh", to: "https://photos.example/auth/refresh"))
    }
}
