import Crypto
import Foundation
import Hummingbird

/// The parameters of an address that report an act, such as `done=5`. The response to the act sets a cookie for them, and
/// without it a page reports nothing: a link cannot claim that something was deleted.
enum ReportedOutcome {
    /// The lifetime of the cookie, in seconds. A script may load the page a second time.
    fileprivate static let lifetime = 60

    private static let names: Set<String> = [
        "done", "undone", "gone", "favorited", "unfavorited", "archived", "unarchived", "added", "removed", "target",
        "deleted", "purged", "failed", "kept", "unfinished", "asked", "wait", "way", "readable", "unmet", "denied",
        "saved", "archive", "created", "cover",
    ]

    /// Returns a query without the parameters that report an act.
    static func lasting(_ query: String) -> String { split(query).lasting.joined(separator: "&") }

    /// Returns a query with the parameters that report an act only if the cookie is the one for them.
    static func shown(_ query: String, _ cookie: String?) -> String {
        guard let mark = mark(of: query), mark != cookie else { return query }
        return lasting(query)
    }

    /// Returns the cookie's value for a query: a hash, because values may be long; `nil` for one that reports nothing.
    fileprivate static func mark(of query: String) -> String? {
        let reported = split(query).reported
        guard !reported.isEmpty else { return nil }
        let hash = SHA256.hash(data: Data(reported.joined(separator: "&").utf8)).prefix(16)
        return hash.map { String(format: "%02x", $0) }.joined()
    }

    private static func split(_ query: String) -> (reported: [Substring], lasting: [Substring]) {
        var parts: (reported: [Substring], lasting: [Substring]) = ([], [])
        for part in query.split(separator: "&") {
            // A percent-encoded name is the same name.
            let name = String(part.prefix { $0 != "=" })
            if names.contains(name.removingPercentEncoding ?? name) {
                parts.reported.append(part)
            } else {
                parts.lasting.append(part)
            }
        }
        return parts
    }
}

extension Response {
    /// Permits the page to which an act leads to report it.
    /// - Parameter path: The path of that page for a script; `nil` for the one to which a browser is redirected.
    mutating func permitReport(at path: String? = nil) {
        let address = (path ?? headers[.location])?.prefix { $0 != "#" } ?? ""
        guard let start = address.firstIndex(of: "?"),
            let mark = ReportedOutcome.mark(of: String(address[start...].dropFirst()))
        else { return }
        set(.outcome, to: mark, for: ReportedOutcome.lifetime)
    }
}
