import Foundation
import PhotolalaAPI

/// Formats the identities of an account, one per line.
enum LinkedProviderLines {
    /// Returns notices about pending unlinkings; empty if there are none.
    static func notices(_ links: [LinkedProvider]) -> [String] {
        links.filter { $0.unlinksAt != nil }.map { link in
            "\(link.provider) is being unlinked. If you did not request this:  photolala unlink --undo \(link.linkID)"
        }
    }

    /// Returns one line per unlinking that a sign-in cancelled.
    static func kept(_ links: [LinkedProvider]) -> [String] {
        links.map { "This sign-in cancelled the unlinking of \($0.provider)." }
    }

    static func lines(_ links: [LinkedProvider]) -> [String] {
        links.map { link in
            var facts = ["since \(DateText.day(link.linkedAt))"]
            if let email = link.email { facts.insert(Terminal.sanitized(email), at: 0) }
            if link.isPrimary { facts.append("primary") }
            if let date = link.unlinksAt {
                facts.append("unlinking on \(DateText.zonedMinute(date))")
            } else if link.state != .active {
                facts.append(link.state.rawValue)
            }
            return "  \(link.provider)  \(facts.joined(separator: ", "))  [\(link.linkID)]"
        }
    }
}
