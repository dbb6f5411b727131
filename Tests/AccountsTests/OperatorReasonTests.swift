import Accounts
import Foundation
import PhotolalaAPI
import Testing

/// The reasons of operators in audit entries.
@Suite struct OperatorReasonTests {
    @Test(
        "a reason has 1 to 200 printable characters with a letter or digit",
        arguments: [
            ("x", true), ("7", true), ("½", true), ("\u{3164}x", true), ("電", true), ("ไม", true),
            ("Ticket 4711: “lost phone”, 電話", true), (String(repeating: "é", count: 200), true),
            ("", false), ("  ", false), (String(repeating: "x", count: 201), false), ("two\nlines", false),
            ("two\u{2028}lines", false), ("bell\u{7}", false), ("\u{202e}reversed", false),
            ("\u{3164}", false), ("\u{2800}", false), ("\u{115F}\u{1160}", false), ("\u{FFA0} \u{3164}", false),
            ("\u{FFFD}", false), ("ticket \u{FFFD}", false), ("…?!", false), ("\u{34F}", false),
        ])
    func validation(text: String, isValid: Bool) {
        #expect(OperatorReason(text)?.text == (isValid ? text : nil))
    }

    @Test(
        "a stored entry keeps its bytes, with a reason and without one, and so its hash",
        arguments: ["", #""reason":"Ticket 4711","#])
    func encoding(reason: String) throws {
        let stored = Data(
            """
            {"act":"session.signed_out_everywhere","actor":"support","at":"2026-11-26T16:00:00Z",\
            "previousHash":"00",\(reason)"sequence":2}
            """.utf8)
        let entry = try #require(AuditEntry.decode(stored))
        #expect(try entry.encoded() == stored)
        #expect(entry.reason == (reason.isEmpty ? nil : "Ticket 4711"))
    }
}
