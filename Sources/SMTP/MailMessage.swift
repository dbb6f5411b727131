import Foundation

/// An e-mail to one recipient, as plain text and as HTML.
package struct MailMessage: Sendable {
    package let from: Mailbox
    package let to: MailAddress
    package let subject: String
    package let date: Date
    /// The left part of the `Message-ID`: ASCII letters, digits, `.`, `-` and `_`. A repeated message has the same, so
    /// that mailboxes can drop it.
    package let id: String
    /// The BCP 47 tag of the text's language.
    package let language: String
    package let text: String
    package let html: String

    package init(
        from: Mailbox, to: MailAddress, subject: String, date: Date, id: String, language: String, text: String,
        html: String
    ) {
        (self.from, self.to, self.subject, self.date, self.id) = (from, to, subject, date, id)
        (self.language, self.text, self.html) = (language, text, html)
    }

    /// Returns the message in 7-bit lines of at most 78 bytes (RFC 5322, RFC 2045). No line begins with a dot.
    func encoded() -> String {
        let boundary = "=_\(id)"
        let headers = [
            "Date: \(Self.date(date))", "From: \(Self.header(from))", "To: <\(to)>",
            "Message-ID: <\(id)@\(from.address.domain)>", "Subject: \(Self.header(subject))",
            // No absence notice answers it (RFC 3834).
            "Auto-Submitted: auto-generated", "Content-Language: \(language)", "MIME-Version: 1.0",
            "Content-Type: multipart/alternative;", " boundary=\"\(boundary)\"", "",
        ]
        let parts = Self.part(boundary, "text/plain", text) + Self.part(boundary, "text/html", html)
        return (headers + parts + ["--\(boundary)--", ""]).joined(separator: "\r\n")
    }

    private static func part(_ boundary: String, _ type: String, _ text: String) -> [String] {
        ["--\(boundary)", "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: base64", ""]
            + [
                Data(text.utf8).base64EncodedString(
                    options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed]), "",
            ]
    }

    private static func header(_ mailbox: Mailbox) -> String {
        let isPlain = mailbox.name.utf8.allSatisfy {
            $0 == UInt8(ascii: " ") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
        }
        if isPlain, (1...40).contains(mailbox.name.utf8.count) { return "\(mailbox.name)\r\n <\(mailbox.address)>" }
        return mailbox.name.isEmpty ? "<\(mailbox.address)>" : "\(encodedWords(mailbox.name))\r\n <\(mailbox.address)>"
    }

    /// Returns a header's text, if it is not short and ASCII as encoded words.
    private static func header(_ text: String) -> String {
        let isPlain = text.utf8.count <= 60 && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
        let isItself = isPlain && !text.contains("=?") && text.first != " " && text.last != " "
        return isItself ? text : encodedWords(text)
    }

    /// Returns a text as encoded words of at most 75 bytes (RFC 2047 section 2), one on each line.
    private static func encodedWords(_ text: String) -> String {
        var (words, word): ([String], String) = ([], "")
        for character in text.unicodeScalars {
            // 42 bytes are 56 in base64, the word adds 12, and the name of the header is on the first line.
            if word.utf8.count + character.utf8.count > 42 {
                words.append(word)
                word = ""
            }
            word.unicodeScalars.append(character)
        }
        return (words + [word]).map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }
            .joined(separator: "\r\n ")
    }

    /// Returns a date in UTC (RFC 5322 section 3.3).
    private static func date(_ date: Date) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        return format.string(from: date)
    }
}
