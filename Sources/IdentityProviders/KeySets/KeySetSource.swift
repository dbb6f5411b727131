import Foundation
import HTTPTypes
import NIOCore
import Transport

/// Where a provider publishes its keys, and how they are fetched.
struct KeySetSource: Sendable {
    let location: KeySetLocation
    let transport: any HTTPTransport

    struct Answer: Sendable {
        let keys: JSONWebKeySet
        /// How long the provider allows the answer to be used; `nil` when it does not say.
        let lifetime: TimeInterval?
    }

    func fetch() async throws(KeySetError) -> Answer {
        let url: String
        switch location {
        case .url(let settled): url = settled
        case .discovered(let issuer):
            let document = try await get(DiscoveryDocument.url(of: issuer), limit: DiscoveryDocument.maximumSize)
            url = try DiscoveryDocument(document.body.readableBytesView, of: issuer).keySetURL
        }
        let answer = try await get(url, limit: JSONWebKeySet.maximumSize)
        let keys = try JSONWebKeySet(answer.body.readableBytesView)
        return Answer(keys: keys, lifetime: Self.lifetime(answer.headers))
    }

    private func get(
        _ url: String, limit: Int
    ) async throws(KeySetError) -> (headers: HTTPFields, body: ByteBuffer) {
        let request = TransportRequest(
            method: .get, url: url, headers: [.accept: "application/json"], timeout: .seconds(10)
        )
        do {
            let response = try await transport.send(request)
            let mediaType = response.headers[.contentType]?.lowercased() ?? ""
            guard response.status == 200, mediaType.contains("json") else {
                throw KeySetError.unexpectedAnswer(status: response.status)
            }
            return (response.headers, try await response.collect(limit: limit))
        } catch let error as KeySetError {
            throw error
        } catch {
            switch error as? TransportError {
            case .notSent(let reason), .connectionLost(let reason): throw .notReached(reason)
            case .tooLarge: throw .tooLarge
            case nil: throw .notReached("\(error)")
            }
        }
    }

    /// `max-age` less the answer's age (RFC 9111 section 4.2); zero where storing is discouraged.
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
        var rest = drop(while: isPadding)
        while let last = rest.last, isPadding(last) { rest.removeLast() }
        return rest
    }
}
