import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import S3Protocol
import Transport

/// Signs and sends requests, and retries them if that is safe.
///
/// A retry is safe if the request was not sent or the service reports that it was not performed, or if the request is
/// repeatable whatever its outcome. A conditional write whose response was lost is never repeated here: only its
/// caller can check the result.
struct S3Exchange: Sendable {
    let settings: S3Settings
    let credentials: any CredentialSource
    let transport: any HTTPTransport
    let pause: Backoff
    private let clock: ServiceClock
    private let signingKeyCache = SigningKeyCache()
    private let onSlowDown: @Sendable () -> Void

    /// - Parameter onSlowDown: Called for each response that requests a lower rate.
    init(
        settings: S3Settings, credentials: any CredentialSource, transport: any HTTPTransport, pause: Backoff,
        now: @escaping @Sendable () -> Date, onSlowDown: @escaping @Sendable () -> Void = {}
    ) {
        self.settings = settings
        self.credentials = credentials
        self.transport = transport
        self.pause = pause
        self.onSlowDown = onSlowDown
        clock = ServiceClock(now)
    }

    /// Returns the current time, corrected by the service's clock if the local one was found to be wrong.
    func now() -> Date { clock.now() }

    /// A response with status 2xx, or the failure if its status is one of `expected`.
    enum Outcome {
        case response(TransportResponse, collected: ByteBuffer)
        case failure(S3Failure, HTTPFields)
    }

    private enum Attempt {
        case done(Outcome)
        case retry(ObjectStoreError)
    }

    /// - Parameters:
    ///   - expected: Statuses that are a result and not an error, unless the response requests a retry.
    ///   - limit: The body is collected up to this many bytes; `nil` leaves reading it to the caller.
    func perform(
        _ request: S3Request, expecting expected: Set<Int> = [], collecting limit: Int? = nil
    ) async throws(ObjectStoreError) -> Outcome {
        var keys = try await signingKeys()
        var mayRenew = true
        var last = ObjectStoreError.unavailable("not tried")
        var minimumDelay = Duration.zero
        for attempt in 1...max(1, settings.attempts) {
            if attempt > 1 {
                if Task.isCancelled { throw last }
                await pause.wait(attempt: attempt - 1, atLeast: minimumDelay)
                minimumDelay = .zero
            }
            let date = now()
            if let deadline = request.deadline, date >= deadline { throw .unavailable("deadline exceeded") }
            let response: TransportResponse
            do {
                var outgoing = signed(request, keys, at: date)
                outgoing.collectedLength = limit.map { max($0, S3Failure.documentLimit) }
                response = try await transport.send(outgoing)
            } catch {
                last = try repeatableFailure(error, request)
                continue
            }
            guard response.status >= 300 else {
                switch try await finished(response, limit, request) {
                case .done(let outcome): return outcome
                case .retry(let error): last = error
                }
                continue
            }
            let failure = await S3Failure.read(response)
            if failure.isRetryable {
                onSlowDown()
                minimumDelay = failure.retryAfter
            }
            if settings.followsServiceClock, failure.indicatesClockSkew, clock.adjust(from: response.headers) {
                last = .unavailable("clock skew")
            } else if failure.code.isEmpty, expected.contains(failure.status), !failure.isRetryable {
                // AWS returns the same response for a missing key. Callers that expect this status find out the reason.
                return .failure(failure, response.headers)
            } else if failure.indicatesCredentialFailure, mayRenew, let other = try await replacement(for: keys) {
                (keys, mayRenew) = (other, false)
                last = .unavailable("credentials renewed")
            } else if expected.contains(failure.status), !failure.isRetryable {
                return .failure(failure, response.headers)
            } else {
                last = failure.error(isRepeatable: request.isRepeatable)
            }
            guard case .unavailable = last else { throw last }
        }
        throw last
    }

    private func finished(
        _ response: TransportResponse, _ limit: Int?, _ request: S3Request
    ) async throws(ObjectStoreError) -> Attempt {
        guard let limit else { return .done(.response(response, collected: ByteBuffer())) }
        do {
            return .done(.response(response, collected: try await response.collect(limit: limit)))
        } catch {
            if case .tooLarge = error { throw .tooLarge(limit: limit) }
            guard request.isRepeatable else { throw .outcomeUnknown("\(error)") }
            return .retry(.unavailable("\(error)"))
        }
    }

    /// Returns the error of a failed exchange that may be retried; throws the error if it must not be.
    private func repeatableFailure(
        _ error: TransportError, _ request: S3Request
    ) throws(ObjectStoreError) -> ObjectStoreError {
        switch error {
        case .notSent(let message), .serverNotTrusted(let message): return .unavailable(message)
        case .connectionLost(let message):
            guard request.isRepeatable else { throw .outcomeUnknown(message) }
            return .unavailable(message)
        case .noResponse(let time):
            guard request.isRepeatable else { throw .outcomeUnknown("no response for \(time)") }
            return .unavailable("no response for \(time)")
        case .tooLarge: throw .outcomeUnknown("response too large")
        }
    }

    private func signingKeys() async throws(ObjectStoreError) -> AWSCredentials {
        do { return try await credentials.credentials() } catch { throw ObjectStoreError(error) }
    }

    private func replacement(for keys: AWSCredentials) async throws(ObjectStoreError) -> AWSCredentials? {
        do { return try await credentials.replacement(for: keys) } catch { throw ObjectStoreError(error) }
    }

    private func signed(_ request: S3Request, _ keys: AWSCredentials, at date: Date) -> TransportRequest {
        let (url, host, path) = settings.address(of: request.key)
        let query = request.query.map { "\($0.name)=\(AWSPercentEncoding.encode($0.value))" }.joined(separator: "&")
        var headers = request.headers
        if let owner = settings.expectedBucketOwner { headers[.expectedBucketOwner] = owner }
        let signer = RequestSigner(
            credentials: keys, region: settings.region, service: "s3", pathNormalization: .none, keys: signingKeyCache
        )
        let signable = SignableRequest(
            method: request.operation.method.rawValue, host: host, path: path, query: query, headers: headers
        )
        headers.append(contentsOf: signer.sign(signable, payload: request.payloadHash, at: date).headers)
        var outgoing = TransportRequest(
            method: request.operation.method, url: query.isEmpty ? url : "\(url)?\(query)", headers: headers,
            body: request.transportBody, timeout: settings.timeout + request.sendingTime + request.workingTime,
            answerDeadline: .minimumRate(bytesPerSecond: settings.minimumRate)
        )
        outgoing.processingTime = request.workingTime
        return outgoing
    }
}

extension ObjectStoreError {
    fileprivate init(_ error: CredentialError) {
        switch error {
        case .refused(let message): self = .denied(message)
        case .unavailable(let message): self = .unavailable(message)
        }
    }
}
