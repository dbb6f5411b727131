import Foundation
import PhotolalaAPI

/// The identities of an account, a line each.
enum LinkedProviderLines {
    static func lines(_ links: [LinkedProvider]) -> [String] {
        links.map { link in
            var facts = ["since \(DateText.day(link.linkedAt))"]
            if let email = link.email { facts.insert(Terminal.harmless(email), at: 0) }
            if link.isPrimary { facts.append("primary") }
            if link.state != .active { facts.append(link.state.rawValue) }
            return "  \(link.provider)  \(facts.joined(separator: ", "))  [\(link.linkID)]"
        }
    }
}
