import Accounts
import Foundation

/// An attack derived from a genuine token, and the error that a verifier must report.
package struct TokenAttack: Sendable, CustomStringConvertible {
    /// The description for the report.
    package let description: String
    /// Modifies the draft before it is signed.
    let draft: @Sendable (inout TokenDraft, Date) -> Void
    /// Modifies the signed token.
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
