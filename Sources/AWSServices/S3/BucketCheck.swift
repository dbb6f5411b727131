import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import S3Protocol
import Transport

/// Checks at startup whether a bucket is usable, and otherwise reports what must be changed.
package struct BucketCheck: Sendable {
    /// A problem found by the check.
    package enum Fault: Error, Equatable, Sendable {
        case noBucket
        /// The bucket is in another region, which is given if the service reports it.
        case wrongRegion(bucketIsIn: String?)
        /// The local clock is ahead of the service's by this many seconds, negative if behind; `nil` if the response
        /// contains no time.
        case clockSkew(seconds: Int?)
        /// The credentials are unknown, expired or wrong.
        case credentialsRejected(String)
        /// Objects can be written but the bucket cannot be listed. AWS then returns 403 for missing objects as well
        /// as for forbidden ones, so absence cannot be determined.
        case listDenied
        /// The bucket belongs to another account than the expected one, or these credentials have no access to it.
        case denied(String)
        /// A write or delete was performed although its condition did not hold. Such a store would lose accounts.
        case ignoresConditions
        /// A request signed half an hour earlier was accepted, or responses contain no time. On such a store a
        /// delayed deletion could delete newer data.
        case acceptsStaleSignatures
        /// Object Lock in compliance mode retains every object by default, so deleted accounts could not be erased.
        case retainsObjects
        /// The result is uncertain; the store may be available later.
        case unavailable(String)
    }

    /// The age of the old signature, in seconds. Services allow a clock skew of a quarter of an hour, and the local
    /// clock may be off by as much.
    private static let staleAge: TimeInterval = 2000

    private let exchange: S3Exchange
    private let store: S3ObjectStore
    /// Signs with a date in the past.
    private let staleExchange: S3Exchange

    package init(
        settings: S3Settings, credentials: any CredentialSource, transport: any HTTPTransport, pause: Backoff,
        now: @escaping @Sendable () -> Date
    ) {
        exchange = S3Exchange(
            settings: settings, credentials: credentials, transport: transport, pause: pause, now: now
        )
        store = S3ObjectStore(exchange: exchange)
        staleExchange = S3Exchange(
            settings: settings, credentials: credentials, transport: transport, pause: pause,
            now: { now().addingTimeInterval(-Self.staleAge) }
        )
    }

    /// Lists the bucket, with a current and with an old date, and reads its Object Lock configuration. Then writes,
    /// replaces and deletes one object under conditions that hold and that do not.
    /// - Parameter probe: A unique key with a random part; the object is deleted afterwards.
    package func run(probe: ObjectKey) async throws(Fault) {
        try await list(probe)
        try await checkStaleSignature(probe)
        try await checkRetention()
        do {
            try await writeUnderConditions(probe)
        } catch {
            try? await store.delete(probe, if: .always)
            throw error
        }
    }

    private func request(_ exchange: S3Exchange, for probe: ObjectKey) async throws(Fault) -> S3Exchange.Outcome {
        var request = S3Request(.listObjects, key: nil)
        request.query = [("list-type", "2"), ("max-keys", "1"), ("prefix", probe.description)]
        do {
            return try await exchange.perform(
                request, expecting: [301, 307, 400, 403, 404], collecting: S3Listing.sizeLimit
            )
        } catch {
            throw Fault(error)
        }
    }

    /// Any rejection is accepted: the service may instead report credentials as old as the date.
    private func checkStaleSignature(_ probe: ObjectKey) async throws(Fault) {
        let outcome: S3Exchange.Outcome
        do { outcome = try await request(staleExchange, for: probe) } catch {
            guard case .unavailable = error else { return }
            throw error
        }
        guard case .failure = outcome else { throw .acceptsStaleSignatures }
    }

    /// A bucket whose configuration cannot be read passes: other engines do not have it, and older roles may not read it.
    private func checkRetention() async throws(Fault) {
        var request = S3Request(.getObjectLockConfiguration, key: nil)
        request.query = [("object-lock", "")]
        let outcome: S3Exchange.Outcome
        do {
            outcome = try await exchange.perform(
                request, expecting: [400, 403, 404, 405, 501], collecting: S3Failure.documentLimit)
        } catch {
            throw Fault(error)
        }
        guard case .response(_, let bytes) = outcome,
            let document = try? XMLReader.read(bytes.readableBytesView),
            document.child("Rule")?.child("DefaultRetention")?.value("Mode") == "COMPLIANCE"
        else { return }
        throw .retainsObjects
    }

    private func list(_ probe: ObjectKey) async throws(Fault) {
        let failure: S3Failure
        let headers: HTTPFields
        switch try await request(exchange, for: probe) {
        case .response(let response, _):
            // All dates in a library are assigned by the store.
            guard response.headers[.date].flatMap(S3Date.http) != nil else { throw .acceptsStaleSignatures }
            return
        case .failure(let refusal, let fields): (failure, headers) = (refusal, fields)
        }
        switch (failure.status, failure.code) {
        case (404, "NoSuchBucket"): throw .noBucket
        case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"): throw .wrongRegion(bucketIsIn: failure.region)
        case (_, "RequestTimeTooSkewed"):
            let serverDate = headers[.date].flatMap(S3Date.http)
            throw .clockSkew(seconds: serverDate.map { Int(exchange.now().timeIntervalSince($0)) })
        case (_, "SignatureDoesNotMatch"): throw .credentialsRejected(failure.code)
        case (403, "AccessDenied"):
            guard (try? await store.put(probe, ByteBuffer(), if: .absent)) != nil else {
                throw .denied(failure.summary)
            }
            try? await store.delete(probe, if: .always)
            throw .listDenied
        default:
            throw failure.indicatesCredentialFailure ? .credentialsRejected(failure.summary) : .denied(failure.summary)
        }
    }

    private func writeUnderConditions(_ probe: ObjectKey) async throws(Fault) {
        let (one, two, other) = (ByteBuffer(string: "1"), ByteBuffer(string: "2"), ETag("0123456789abcdef"))
        let tag: ETag
        do {
            tag = try await store.put(probe, one, if: .absent)
        } catch {
            throw Fault(error)
        }
        try await expectRejection { () throws(ObjectStoreError) in _ = try await store.put(probe, two, if: .absent) }
        try await expectRejection { () throws(ObjectStoreError) in
            _ = try await store.put(probe, two, if: .matches(other))
        }
        try await expectRejection { () throws(ObjectStoreError) in try await store.delete(probe, if: .matches(other)) }
        do {
            try await store.delete(probe, if: .matches(tag))
        } catch {
            throw Fault(error)
        }
    }

    private func expectRejection(_ request: () async throws(ObjectStoreError) -> Void) async throws(Fault) {
        do {
            try await request()
        } catch .preconditionFailed {
            return
        } catch {
            throw Fault(error)
        }
        throw .ignoresConditions
    }
}

extension BucketCheck.Fault {
    /// Maps a store error to a problem.
    fileprivate init(_ error: ObjectStoreError) {
        switch error {
        case .denied(let message): self = .denied(message)
        case .unavailable(let message), .outcomeUnknown(let message): self = .unavailable(message)
        default: self = .unavailable("\(error)")
        }
    }
}
