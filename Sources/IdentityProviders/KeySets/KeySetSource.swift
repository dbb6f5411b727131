import Foundation
import HTTPTypes
import NIOCore
import Transport

/// Fetches the published keys of a provider.
struct KeySetSource: Sendable {
    let location: KeySetLocation
    let transport: any HTTPTransport

    struct FetchedKeySet: Sendable {
        let keys: JSONWebKeySet
        /// How long the provider allows caching the keys, in seconds; `nil` if it does not say.
        let lifetime: TimeInterval?
    }

    func fetch() async throws(KeySetError) -> FetchedKeySet {
        let url: String
        switch location {
        case .url(let fixed): url = fixed
        case .discovered(let issuer):
            url = try await DiscoveryDocument.fetch(of: issuer, transport).keySetURL
        }
        let response = try await ProviderDocument.get(url, limit: JSONWebKeySet.maximumSize, transport)
        let keys = try JSONWebKeySet(response.body.readableBytesView)
        return FetchedKeySet(keys: keys, lifetime: Self.lifetime(response.headers))
    }

    /// Returns `max-age` minus the response's age (RFC 9111 section 4.2); 0 for `no-store` and `no-cache`.
    static func lifetime(_ headers: HTTPFields) -> TimeInterval? {
        guard let value = headers[.cacheControl] else { return nil }
        let directives = value.lowercased().split(separator: ",").map { $0.trimming(while: { $0 == " " }) }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        let prefix = "max-age="
        guard let directive = directives.first(where: { $0.hasPrefix(prefix) }),
            let seconds = UInt32(directive.dropFirst(prefix.count).trimming(while: { $0 == "\"" }))
        else { return nil }
        let age = headers[.age].flatMap { UInt32($0) } ?? 0
        return TimeInterval(seconds > age ? seconds - age : 0)
    }
}

extension Substring {
    fileprivate func trimming(while isPadding: (Character) -> Bool) -> Substring {
        var trimmed = drop(while: isPadding)
        while let last = trimmed.last, isPadding(last) { trimmed.removeLast() }
        return trimmed
    }
}
