import Foundation
import PhotolalaAPI

/// The identities of an account, a line each.
enum LinkedProviderLines {
    /// What to know about pending unlinkings; empty where there are none.
    static func notices(_ links: [LinkedProvider]) -> [String] {
        links.filter { $0.unlinksAt != nil }.map { link in
            "If you did not ask to unlink \(link.provider), keep it:  photolala unlink --undo \(link.linkID)"
        }
    }

    /// What a sign-in undid, a line each.
    static func kept(_ links: [LinkedProvider]) -> [String] {
        links.map { "\($0.provider) was about to be unlinked. This sign-in undid that: \($0.provider) stays." }
    }

    static func lines(_ links: [LinkedProvider]) -> [String] {
        links.map { link in
            var facts = ["since \(DateText.day(link.linkedAt))"]
            if let email = link.email { facts.insert(Terminal.harmless(email), at: 0) }
            if link.isPrimary { facts.append("primary") }
            if let date = link.unlinksAt {
                facts.append("unlinks at \(DateText.zonedMinute(date))")
            } else if link.state != .active {
                facts.append(link.state.rawValue)
            }
            return "  \(link.provider)  \(facts.joined(separator: ", "))  [\(link.linkID)]"
        }
    }
}
