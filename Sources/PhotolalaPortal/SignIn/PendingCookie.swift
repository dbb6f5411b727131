import Accounts
import Foundation
import Hummingbird
import PhotolalaAPI
import UseCases

/// A pending identity with its hints, kept in a cookie so that neither addresses nor pages contain it. The use case
/// that created it seals it for this browser.
///
/// The page to continue to has a separate cookie: browsers drop cookies of more than 4,096 bytes, and an app's query
/// alone may have 2,048.
struct PendingCookie {
    /// The maximum number of hints. With the size that `Browser.maximumPendingIdentityLength` allows, they fit into a cookie.
    private static let hints = 8

    let provider: ProviderName
    let hints: [ProviderName]
    let sealed: String
    /// The page to continue to.
    let location: PageLocation

    init(_ identity: UnknownIdentity, to location: PageLocation) {
        self.location = location
        provider = identity.provider
        hints = Array(identity.hints.prefix(Self.hints))
        sealed = identity.pendingIdentity
    }

    /// - Parameter wanted: The required provider, `nil` for any.
    init?(_ cookies: PortalCookies, for wanted: ProviderName? = nil) {
        // Earlier versions wrote the place as a fourth part.
        let parts = cookies[.pending]?.split(separator: "/", omittingEmptySubsequences: false) ?? []
        guard (3...4).contains(parts.count), let provider = ProviderName(String(parts[0])),
            wanted ?? provider == provider
        else { return nil }
        self.provider = provider
        hints = parts[1].split(separator: ".").compactMap { ProviderName(String($0)) }
        sealed = String(parts[2])
        location = Self.location(cookies[.location], of: Self.identifier(of: sealed)) ?? .home
    }

    /// Identifies this pending identity in the forms of a page, which act only on this one.
    var identifier: String { Self.identifier(of: sealed) }

    /// Returns the pending identity that the form's page showed.
    /// - Throws: `formOutdated` if the browser now has another one, `invalidPendingIdentity` if it has none.
    static func selected(by form: Form, in browserRequest: BrowserRequest) throws(ServiceError) -> PendingCookie {
        guard let pending = PendingCookie(browserRequest.cookies) else { throw .invalidPendingIdentity(.expired) }
        guard form["pending"] == pending.identifier else { throw .formOutdated }
        return pending
    }

    /// The cookie's value. Provider names and sealed values never contain the separators.
    fileprivate var value: String {
        "\(provider)/\(hints.map(\.description).joined(separator: "."))/\(sealed)"
    }

    /// The place, with the mark of the pending identity that it belongs to.
    fileprivate var locationValue: String { "\(identifier).\(Data("\(location)".utf8).base64EncodedString())" }

    private static func identifier(of sealed: String) -> String { String(sealed.suffix(22)) }

    private static func location(_ value: String?, of identifier: String) -> PageLocation? {
        let parts = value?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, parts[0] == identifier, let bytes = Data(base64Encoded: String(parts[1])) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self).flatMap { PageLocation($0) }
    }
}

extension Response {
    /// Stores a pending identity in the browser until it expires.
    mutating func set(_ pending: PendingCookie) {
        let seconds = Int(PendingIdentities.lifetime)
        set(.pending, to: pending.value, for: seconds)
        set(.location, to: pending.locationValue, for: seconds)
    }

    /// Removes the pending identity from the browser.
    mutating func removePending() {
        remove(.pending)
        remove(.location)
    }
}
