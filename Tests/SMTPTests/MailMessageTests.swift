import Foundation
import Testing

@testable import SMTP

/// The bytes of a message.
@Suite struct MailMessageTests {
    private func message(subject: String = "New sign-in", name: String = "Photos") throws -> MailMessage {
        MailMessage(
            from: Mailbox(name: name, address: try #require(MailAddress("photos@example.org"))),
            to: try #require(MailAddress("bob@example.org")), subject: subject,
            date: Date(timeIntervalSince1970: 1_790_000_000), id: "evt_1", language: "de", text: "Hallo\n.\nBob",
            html: String(repeating: "<p>é</p>", count: 100))
    }

    @Test func `headers are those of RFC 5322`() throws {
        let text = try message().encoded()
        let headers = try #require(text.components(separatedBy: "\r\n\r\n").first)
        #expect(
            headers == """
                Date: Mon, 21 Sep 2026 14:13:20 +0000\r
                From: Photos\r
                 <photos@example.org>\r
                To: <bob@example.org>\r
                Message-ID: <evt_1@example.org>\r
                Subject: New sign-in\r
                Auto-Submitted: auto-generated\r
                Content-Language: de\r
                MIME-Version: 1.0\r
                Content-Type: multipart/alternative;\r
                 boundary="=_evt_1"
                """)
    }

    @Test(arguments: ["Photolala, Inc.", #""A, B" <eve@example.org>"#, "a@b", "Photos (beta)", "A: B;"])
    func `a sender's name with special characters is one encoded word`(name: String) throws {
        let lines = try message(name: name).encoded().components(separatedBy: "\r\n")
        let word = Data(name.utf8).base64EncodedString()
        #expect(lines.contains("From: =?utf-8?B?\(word)?=") && lines.contains(" <photos@example.org>"))
    }

    @Test(arguments: [
        "=?utf-8?B?aGk=?=", String(repeating: "サインイン方法が追加されました", count: 9), "a\r\nBcc: eve@example.org", "👩‍👩‍👧‍👦é",
    ])
    func `no text adds a header, and every line is short and ASCII`(subject: String) throws {
        let text = try message(subject: subject, name: subject).encoded()
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { $0 < 0x80 && $0 >= 0x20 } })
        #expect(!lines.contains { $0.hasPrefix(".") || $0.hasPrefix("Bcc") })
        let words = lines.drop { !$0.hasPrefix("Subject: ") }.prefix { $0.hasPrefix("Subject: ") || $0.hasPrefix(" ") }
        let decoded = words.map { word in
            let base64 = word.split(separator: "?")[3]
            return Data(base64Encoded: String(base64)).flatMap { String(data: $0, encoding: .utf8) } ?? ""
        }
        #expect(decoded.joined() == subject)
    }
}

/// Replies of servers.
@Suite struct SMTPReplyTests {
    private func replies(_ lines: [String]) throws -> [SMTPReply] {
        var parser = SMTPReplyParser()
        return try lines.compactMap { try parser.add($0) }
    }

    @Test func `replies have one line or several`() throws {
        #expect(
            try replies(["220 ready", "250"]) == [
                SMTPReply(code: 220, lines: ["ready"]), SMTPReply(code: 250, lines: [""]),
            ])
        let extensions = try replies(["250-mail.example.org", "250-STARTTLS", "250 AUTH PLAIN LOGIN"])
        #expect(extensions == [SMTPReply(code: 250, lines: ["mail.example.org", "STARTTLS", "AUTH PLAIN LOGIN"])])
    }

    @Test(arguments: [["hello"], ["25"], ["250+x"], ["99 x"], ["600 x"], ["250-a", "251 b"], ["-250 x"], ["２50 x"]])
    func `other lines are malformed`(lines: [String]) {
        #expect(throws: SMTPReplyParser.ParsingError.malformed) { try replies(lines) }
    }

    @Test func `a reply has a largest number of lines`() throws {
        let lines = (0..<100).map { "250-\($0)" }
        #expect(try replies(lines).isEmpty)
        #expect(throws: SMTPReplyParser.ParsingError.malformed) { try replies(lines + ["250 end"]) }
    }

    @Test func `only the digits of an enhanced status code are reported`() {
        #expect(SMTPReply(code: 550, lines: ["5.1.1 no such user bob@example.org"]).status == "5.1.1")
        #expect(SMTPReply(code: 550, lines: ["no such user"]).status == nil)
        #expect(SMTPReply(code: 550, lines: ["5.bob.1 x"]).status == nil)
    }
}
