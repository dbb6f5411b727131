import Accounts
import Foundation

/// One way to cheat, made from a genuine token, and what a verifier must say to it.
package struct TokenAttack: Sendable, CustomStringConvertible {
    /// A sentence for the report.
    package let description: String
    /// Changes the draft before it is signed.
    let draft: @Sendable (inout TokenDraft, Date) -> Void
    /// Changes the finished text.
    let text: @Sendable (String) -> String
    let isRightAnswer: @Sendable (IdentityTokenError) -> Bool

    static func draft(
        _ name: String, _ expected: IdentityTokenError, _ change: @escaping @Sendable (inout TokenDraft, Date) -> Void
    ) -> TokenAttack {
        TokenAttack(description: name, draft: change, text: { $0 }, isRightAnswer: { $0 == expected })
    }

    static func malformed(
        _ name: String, _ change: @escaping @Sendable (inout TokenDraft, Date) -> Void
    ) -> TokenAttack {
        TokenAttack(description: name, draft: change, text: { $0 }, isRightAnswer: isMalformed)
    }

    static func text(_ name: String, _ change: @escaping @Sendable (String) -> String) -> TokenAttack {
        TokenAttack(description: name, draft: { _, _ in }, text: change, isRightAnswer: isMalformed)
    }

    static func rule(
        _ name: String, _ change: @escaping @Sendable (inout TokenDraft, Date) -> Void
    ) -> TokenAttack {
        TokenAttack(description: name, draft: change, text: { $0 }) { if case .ruleNotMet = $0 { true } else { false } }
    }

    private static func isMalformed(_ error: IdentityTokenError) -> Bool {
        if case .malformed = error { true } else { false }
    }
}
