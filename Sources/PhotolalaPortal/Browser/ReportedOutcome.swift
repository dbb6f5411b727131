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

    /// Returns the cookie's value after an act that leads to an address, if the address is the one that was reported.
    static func mark(for address: String, _ cookie: String?) -> String? {
        let mark = mark(for: address[...])
        return mark == cookie ? mark : nil
    }

    /// Returns the cookie's value for an address: that of its query or, if this reports nothing, of the whole address.
    fileprivate static func mark(for address: Substring) -> String {
        let query = address.firstIndex(of: "?").map { String(address[address.index(after: $0)...]) } ?? ""
        return mark(of: query) ?? hash("page \(address)")
    }

    /// Returns the cookie's value for a query: a hash, because values may be long; `nil` for one that reports nothing.
    private static func mark(of query: String) -> String? {
        let reported = split(query).reported
        return reported.isEmpty ? nil : hash(reported.joined(separator: "&"))
    }

    private static func hash(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(16).map { String(format: "%02x", $0) }.joined()
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
    /// Permits the page to which an act leads to report it. Of a page that reports nothing, a refusal says that the act
    /// was processed.
    /// - Parameter path: The path of that page for a script; `nil` for the one to which a browser is redirected.
    mutating func permitReport(at path: String? = nil) {
        guard let address = (path ?? headers[.location])?.prefix(while: { $0 != "#" }),
            !address.hasPrefix(PageContext.reauthenticationPath)
        else { return }
        extendReport(ReportedOutcome.mark(for: address))
    }

    /// Permits the next page to report an act, also if it is requested after a wait of some seconds.
    mutating func extendReport(_ mark: String, by seconds: Int = 0) {
        set(.outcome, to: mark, for: ReportedOutcome.lifetime + seconds)
    }
}
