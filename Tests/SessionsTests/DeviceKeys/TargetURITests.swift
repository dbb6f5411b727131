import Testing

@testable import Sessions

/// Addresses as RFC 3986 sections 6.2.2 and 6.2.3 compare them.
@Suite struct TargetURITests {
    private static let uri = "https://photos.example/users/a-b"

    @Test(
        "Spellings of one address are one",
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
        #expect(TargetURI.names(other, sameAs: Self.uri))
    }

    @Test(
        "Other addresses, and text that is none, are not",
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
        #expect(!TargetURI.names(other, sameAs: Self.uri))
        #expect(!TargetURI.names(Self.uri, sameAs: other))
    }

    @Test("Two texts that are no addresses are not the same one")
    func neither() {
        #expect(!TargetURI.names("x", sameAs: "x"))
    }

    @Test("An empty path is the root")
    func root() {
        #expect(TargetURI.names("https://photos.example", sameAs: "https://photos.example/"))
    }

    @Test("A reserved character is not its escaped form, whose capitals do not count")
    func reserved() {
        #expect(TargetURI.names("https://a.example/x%2fy", sameAs: "https://a.example/x%2Fy"))
        #expect(!TargetURI.names("https://a.example/x%2fy", sameAs: "https://a.example/x/y"))
    }

    @Test("A machine's names for itself are one, on one port")
    func loopback() {
        let uri = "http://127.0.0.1:8080/auth/refresh"
        #expect(TargetURI.names("http://localhost:8080/auth/refresh", sameAs: uri))
        #expect(TargetURI.names("http://[::1]:8080/auth/refresh", sameAs: uri))
        #expect(!TargetURI.names("http://localhost:8081/auth/refresh", sameAs: uri))
        #expect(!TargetURI.names("http://127.0.0.1.example:8080/auth/refresh", sameAs: uri))
        #expect(!TargetURI.names("http://localhost/auth/refresh", sameAs: "https://photos.example/auth/refresh"))
    }
}
