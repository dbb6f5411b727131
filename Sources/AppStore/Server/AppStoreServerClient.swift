import Foundation
import HTTPTypes
import JSONCoding
import NIOCore
import PhotolalaAPI
import Subscriptions
import Transport

/// A client of the App Store Server API. Responses are trusted because of their signatures, not their origin.
package struct AppStoreServerClient: AppStoreServer {
    /// Apple's servers.
    package static let productionURL = "https://api.storekit.apple.com"
    package static let sandboxURL = "https://api.storekit-sandbox.apple.com"
    /// An upper bound for a page of twenty signed transactions or notifications, in bytes.
    private static let maximumSize = 4 << 20
    /// The most pages of twenty transactions.
    private static let maximumPages = 50
    /// The timeout of one call.
    private static let timeout = Duration.seconds(10)

    private let verifier: AppStoreVerifier
    private let key: AppStoreKey
    private let bundleIDs: [String]
    private let urls: [AppStoreEnvironment: String]
    private let transport: any HTTPTransport
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - bundleIDs: the bundle ids of the apps, at least one. Apple answers for one app at a time.
    ///   - urls: the base URLs of Apple's servers, without a trailing slash.
    package init(
        verifier: AppStoreVerifier, key: AppStoreKey, bundleIDs: [String], urls: [AppStoreEnvironment: String],
        transport: any HTTPTransport, now: @escaping @Sendable () -> Date
    ) {
        self.verifier = verifier
        self.key = key
        self.bundleIDs = bundleIDs
        self.urls = urls
        self.transport = transport
        self.now = now
    }

    package func status(of id: SubscriptionID) async throws(AppStoreServerError) -> SubscriptionFacts {
        let response = try await send(id.environment, .get, "/inApps/v1/subscriptions/\(id.originalTransactionID)")
        var facts = (transactions: [AppStoreTransaction](), renewals: [RenewalInfo]())
        for group in response["data"]?.array ?? [] {
            for last in group.object?["lastTransactions"]?.array ?? [] {
                guard last.object?["originalTransactionId"]?.string == id.originalTransactionID else { continue }
                if let signed = last.object?["signedTransactionInfo"]?.string {
                    facts.transactions.append(try await transaction(signed))
                }
                if let signed = last.object?["signedRenewalInfo"]?.string {
                    let renewal = try await verified { () async throws(SignedDataError) in
                        try await verifier.renewal(signed)
                    }
                    facts.renewals.append(renewal)
                }
            }
        }
        return SubscriptionFacts(transactions: facts.transactions, renewals: facts.renewals)
    }

    package func history(of id: SubscriptionID) async throws(AppStoreServerError) -> [AppStoreTransaction] {
        var transactions: [AppStoreTransaction] = []
        var revision: String?
        for _ in 0..<Self.maximumPages {
            var path = "/inApps/v2/history/\(id.originalTransactionID)?sort=DESCENDING&productType=AUTO_RENEWABLE"
            if let revision { path += "&revision=\(Self.escape(revision))" }
            let response = try await send(id.environment, .get, path)
            for signed in response["signedTransactions"]?.strings ?? [] {
                let transaction = try await transaction(signed)
                // The response contains all of the customer's purchases in the app.
                if transaction.originalID == id { transactions.append(transaction) }
            }
            revision = response["revision"]?.string
            guard response["hasMore"] == .bool(true), revision != nil else { break }
        }
        return transactions
    }

    package func missedNotifications(
        _ environment: AppStoreEnvironment, from: Date, to: Date, page: String?
    ) async throws(AppStoreServerError) -> MissedNotifications {
        // A page id is the index of the app, followed by Apple's pagination token if there is one: `0`, `0 token`, `1`.
        let parts = (page ?? "0").split(separator: " ", maxSplits: 1)
        guard let app = parts.first.flatMap({ Int($0) }), bundleIDs.indices.contains(app) else {
            throw .refused("unknown page token")
        }
        let query = parts.count > 1 ? "?paginationToken=\(Self.escape(String(parts[1])))" : ""
        let span = """
            {"startDate":\(Int64(from.timeIntervalSince1970 * 1000)),\
            "endDate":\(Int64(to.timeIntervalSince1970 * 1000)),"onlyFailures":true}
            """
        let following = app + 1 < bundleIDs.count ? "\(app + 1)" : nil
        let response: [String: JSONValue]
        do {
            response = try await send(
                environment, .post, "/inApps/v1/notifications/history\(query)", body: span, of: bundleIDs[app])
        } catch {
            // One app that no longer belongs to the team must not stop the others.
            guard bundleIDs.count > 1, error.isOfOneApp else { throw error }
            return MissedNotifications(notifications: [], invalid: [], next: following, refusal: error)
        }
        var notifications: [AppStoreNotification] = []
        var invalid: [SignedDataError] = []
        for item in response["notificationHistory"]?.array ?? [] {
            guard let signed = item.object?["signedPayload"]?.string else { continue }
            do throws(AppStoreServerError) {
                let notification = try await verified { () async throws(SignedDataError) in
                    try await verifier.notification(signedPayload: signed)
                }
                notifications.append(notification)
            } catch .invalid(let reason) {
                invalid.append(reason)
            }
        }
        let more = response["hasMore"] == .bool(true) ? response["paginationToken"]?.string : nil
        return MissedNotifications(
            notifications: notifications, invalid: invalid, next: more.map { "\(app) \($0)" } ?? following)
    }

    package func setAccountToken(_ user: UserID, of id: SubscriptionID) async throws(AppStoreServerError) {
        _ = try await send(
            id.environment, .put, "/inApps/v1/transactions/\(id.originalTransactionID)/appAccountToken",
            body: #"{"appAccountToken":"\#(user)"}"#
        )
    }

    private func transaction(_ signed: String) async throws(AppStoreServerError) -> AppStoreTransaction {
        try await verified { () async throws(SignedDataError) in try await verifier.transaction(signed) }
    }

    private func verified<Fact>(
        _ read: () async throws(SignedDataError) -> Fact
    ) async throws(AppStoreServerError) -> Fact {
        do {
            return try await read()
        } catch {
            if case .unavailable(let reason) = error { throw .unavailable(reason) }
            throw .invalid(error)
        }
    }

    /// Sends the request for each app in turn until one knows the transaction.
    private func send(
        _ environment: AppStoreEnvironment, _ method: HTTPRequest.Method, _ path: String, body: String? = nil
    ) async throws(AppStoreServerError) -> [String: JSONValue] {
        var failure = AppStoreServerError.notFound
        for bundleID in bundleIDs {
            do {
                return try await send(environment, method, path, body: body, of: bundleID)
            } catch {
                guard error.isOfOneApp else { throw error }
                if error != .notFound { failure = error }
            }
        }
        throw failure
    }

    private func send(
        _ environment: AppStoreEnvironment, _ method: HTTPRequest.Method, _ path: String, body: String?,
        of bundleID: String
    ) async throws(AppStoreServerError) -> [String: JSONValue] {
        guard let base = urls[environment] else { throw .refused("no server for \(environment.rawValue)") }
        guard let token = try? key.token(bundleID: bundleID, at: now()) else { throw .refused("token creation failed") }
        var headers: HTTPFields = [.authorization: "Bearer \(token)", .accept: "application/json"]
        if body != nil { headers[.contentType] = "application/json" }
        let status: Int
        let members: [String: JSONValue]?
        do {
            let response = try await transport.send(
                TransportRequest(
                    method: method, url: base + path, headers: headers,
                    body: body.map { .bytes(ByteBuffer(string: $0)) } ?? .none, timeout: Self.timeout
                ))
            let bytes = try await response.collect(limit: Self.maximumSize)
            status = response.status
            members = bytes.readableBytes == 0 ? [:] : (try? JSONReader.read(bytes.readableBytesView))?.object
        } catch {
            throw .unavailable("\(error)")
        }
        switch status {
        case 200..<300:
            guard let members else { throw .unavailable("response is not a JSON object") }
            return members
        case 404: throw .notFound
        case 429, 500...: throw .unavailable("status \(status)")
        default:
            // Logs Apple's error code, such as 4010000; its message may contain request data.
            var code = ""
            if case .number(let number)? = members?["errorCode"] { code = ", code \(Int64(exactly: number) ?? 0)" }
            throw .refused("status \(status)\(code)")
        }
    }

    private static func escape(_ text: String) -> String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

extension AppStoreServerError {
    /// Whether the answer for another app of the team may differ.
    fileprivate var isOfOneApp: Bool {
        switch self {
        case .notFound, .refused: true
        case .unavailable, .invalid: false
        }
    }
}
