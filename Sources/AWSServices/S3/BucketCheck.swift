import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import SigV4
import Transport

/// Finds out at start-up whether a bucket can be used, and if not, what has to be changed.
package struct BucketCheck: Sendable {
    /// What is wrong.
    package enum Fault: Error, Equatable, Sendable {
        case noBucket
        /// The bucket is elsewhere; in which region, where the service tells it.
        case wrongRegion(bucketIsIn: String?)
        /// Our clock is so many seconds ahead of the service's, where its answer tells the time; negative when behind.
        case clockSkew(seconds: Int?)
        /// The keys are unknown, expired or wrong.
        case keysRefused(String)
        /// Objects can be written and the bucket cannot be listed. On AWS a missing object is then told as 403, like a
        /// forbidden one, so that absence cannot be known.
        case mayNotList
        /// The bucket belongs to another account than the expected one, or these keys may not use it.
        case denied(String)
        /// A write or delete was done although its condition did not hold. Accounts would be lost on such a store.
        case ignoresConditions
        /// A request was taken that had been signed half an hour before, or answers do not tell the time. What a device asked
        /// for long ago could delete what was stored since.
        case ignoresDates
        /// No sure answer; it may be there later.
        case unavailable(String)
    }

    /// Services allow a clock to be off by a quarter of an hour, and so may ours be.
    private static let late: TimeInterval = 2000

    private let exchange: S3Exchange
    private let store: S3ObjectStore
    /// Signs with a date that is long past.
    private let lateExchange: S3Exchange

    package init(
        settings: S3Settings, credentials: any CredentialSource, transport: any HTTPTransport, pause: Backoff,
        now: @escaping @Sendable () -> Date
    ) {
        exchange = S3Exchange(
            settings: settings, credentials: credentials, transport: transport, pause: pause, now: now
        )
        store = S3ObjectStore(exchange: exchange)
        lateExchange = S3Exchange(
            settings: settings, credentials: credentials, transport: transport, pause: pause,
            now: { now().addingTimeInterval(-Self.late) }
        )
    }

    /// Lists the bucket, with a date of now and with an old one, then writes, replaces and deletes one object under
    /// conditions that hold and that do not.
    /// - Parameter probe: a key that nobody else uses, with a random part; nothing is left there.
    package func run(probe: ObjectKey) async throws(Fault) {
        try await list(probe)
        try await listLate(probe)
        do {
            try await writeUnderConditions(probe)
        } catch {
            try? await store.delete(probe, if: .always)
            throw error
        }
    }

    private func ask(_ exchange: S3Exchange, for probe: ObjectKey) async throws(Fault) -> S3Exchange.Answer {
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

    /// However it is refused: keys that are as old as the date may be named instead.
    private func listLate(_ probe: ObjectKey) async throws(Fault) {
        let answer: S3Exchange.Answer
        do { answer = try await ask(lateExchange, for: probe) } catch {
            guard case .unavailable = error else { return }
            throw error
        }
        guard case .failure = answer else { throw .ignoresDates }
    }

    private func list(_ probe: ObjectKey) async throws(Fault) {
        let failure: S3Failure
        let headers: HTTPFields
        switch try await ask(exchange, for: probe) {
        case .response(let response, _):
            // All that is dated in a library is dated by the store.
            guard response.headers[.date].flatMap(S3Date.http) != nil else { throw .ignoresDates }
            return
        case .failure(let refusal, let fields): (failure, headers) = (refusal, fields)
        }
        switch (failure.status, failure.code) {
        case (404, "NoSuchBucket"): throw .noBucket
        case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"): throw .wrongRegion(bucketIsIn: failure.region)
        case (_, "RequestTimeTooSkewed"):
            let theirs = headers[.date].flatMap(S3Date.http)
            throw .clockSkew(seconds: theirs.map { Int(exchange.now().timeIntervalSince($0)) })
        case (_, "SignatureDoesNotMatch"): throw .keysRefused(failure.code)
        case (403, "AccessDenied"):
            guard (try? await store.put(probe, ByteBuffer(), if: .absent)) != nil else { throw .denied(failure.words) }
            try? await store.delete(probe, if: .always)
            throw .mayNotList
        default: throw failure.blamesCredentials ? .keysRefused(failure.words) : .denied(failure.words)
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
        try await refuses { () throws(ObjectStoreError) in _ = try await store.put(probe, two, if: .absent) }
        try await refuses { () throws(ObjectStoreError) in _ = try await store.put(probe, two, if: .matches(other)) }
        try await refuses { () throws(ObjectStoreError) in try await store.delete(probe, if: .matches(other)) }
        do {
            try await store.delete(probe, if: .matches(tag))
        } catch {
            throw Fault(error)
        }
    }

    private func refuses(_ act: () async throws(ObjectStoreError) -> Void) async throws(Fault) {
        do {
            try await act()
        } catch .preconditionFailed {
            return
        } catch {
            throw Fault(error)
        }
        throw .ignoresConditions
    }
}

extension BucketCheck.Fault {
    /// What a store's failure means for the check.
    fileprivate init(_ error: ObjectStoreError) {
        switch error {
        case .denied(let words): self = .denied(words)
        case .unavailable(let words), .outcomeUnknown(let words): self = .unavailable(words)
        default: self = .unavailable("\(error)")
        }
    }
}
