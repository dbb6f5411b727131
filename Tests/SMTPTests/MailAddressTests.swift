import Testing

@testable import SMTP

/// Which addresses can stand in commands and headers.
@Suite struct MailAddressTests {
    @Test(arguments: ["bob@example.org", "b.o+b_1@sub.example.org", "x7q2@privaterelay.appleid.com", "a@b"])
    func `usual addresses are accepted`(text: String) {
        #expect(MailAddress(text)?.description == text)
    }

    @Test(arguments: [
        "", "bob", "@example.org", "bob@", "bob@@example.org", "a@b@c", "bob @example.org",
        "bob@example.org\r\nRCPT TO:<x@y>",
        "bob>@example.org", "<bob@example.org>", "\"bob\"@example.org", "bob@example..org", ".bob@example.org",
        "bób@example.org", "bob@exämple.org", "bob@example.org ", "a\0@b", "bob@[127.0.0.1]",
    ])
    func `addresses that could end a command, or need quotes, are not`(text: String) {
        #expect(MailAddress(text) == nil)
    }

    @Test func `addresses have a largest length`() {
        let domain = String(repeating: "d", count: 100)
        #expect(MailAddress("\(String(repeating: "a", count: 64))@\(domain)") != nil)
        #expect(MailAddress("\(String(repeating: "a", count: 65))@\(domain)") == nil)
        #expect(MailAddress("a@\(String(repeating: "d", count: 253))") == nil)
    }

    @Test func `a mailbox has a name or none`() throws {
        let address = try #require(MailAddress("photos@example.org"))
        #expect(Mailbox("photos@example.org") == Mailbox(name: "", address: address))
        #expect(Mailbox("Bob's Photos <photos@example.org>") == Mailbox(name: "Bob's Photos", address: address))
        #expect(Mailbox("\"Photos, Inc.\" <photos@example.org>") == Mailbox(name: "Photos, Inc.", address: address))
        #expect(Mailbox("写真 <photos@example.org>")?.name == "写真")
        for text in [
            "Photos", "Photos <photos>", "Photos\r\nBcc: x@y <photos@example.org>", "<photos@example.org> Photos",
        ] {
            #expect(Mailbox(text) == nil, "\(text)")
        }
    }
}

/// The URL of a mail server.
@Suite struct MailServerTests {
    private func server(_ url: String, dev: Bool = false) -> MailServer? { MailServer(url: url, allowsPlainText: dev) }

    @Test func `the scheme names the kind of TLS, and each has its port`() {
        #expect(
            server("smtps://mail.example.org")
                == MailServer(host: "mail.example.org", port: 465, security: .implicitTLS))
        #expect(
            server("smtp://mail.example.org") == MailServer(host: "mail.example.org", port: 587, security: .startTLS))
        #expect(server("smtp://mail.example.org:2525/")?.port == 2525)
        #expect(server("smtps://[2001:db8::1]:465")?.host == "2001:db8::1")
    }

    @Test func `user and password are decoded`() {
        let credentials = server("smtps://AKIA%40x:p%2Fw%3A%25@mail.example.org")?.credentials
        #expect(credentials == MailServer.Credentials(user: "AKIA@x", password: "p/w:%"))
    }

    @Test func `a server on this machine needs no TLS in development`() {
        #expect(server("smtp://127.0.0.1:1025", dev: true)?.security == MailServer.Security.none)
        #expect(server("smtp://127.0.0.1:1025")?.security == .startTLS)
        #expect(server("smtp://mail.example.org", dev: true)?.security == .startTLS)
        #expect(server("smtps://localhost", dev: true)?.security == .implicitTLS)
    }

    @Test(arguments: [
        "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://user@mail.example.org",
        "smtp://:password@mail.example.org", "smtp://a%00b:c@mail.example.org", "smtp://mail.example.org:0",
        "smtp://mail.example.org:65536", "smtp://mail.example.org/path", "smtp://mail.example.org?tls=no",
    ])
    func `other texts are refused`(url: String) {
        #expect(server(url) == nil)
    }
}
