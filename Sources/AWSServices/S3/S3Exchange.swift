import Foundation
import HTTPTypes
import NIOCore
import ObjectStorage
import SigV4
import Transport

/// Signs requests, sends them, and tries again where that is safe.
///
/// Safe is: a request that never left or that the service says it did not do; and one that can be repeated, whatever
/// became of it. A conditional write whose answer was lost is never repeated here: only its caller can look.
struct S3Exchange: Sendable {
    let settings: S3Settings
    let credentials: any CredentialSource
    let transport: any HTTPTransport
    let pause: Backoff
    private let clock: ServiceClock
    private let onSlowDown: @Sendable () -> Void

    /// - Parameter onSlowDown: called for each answer that asks to be left alone for a while.
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

    /// The time, as the service has it where ours was found wrong.
    func now() -> Date { clock.now() }

    /// An answer of status 2xx, or the failure when it is one of `expected`.
    enum Answer {
        case response(TransportResponse, collected: ByteBuffer)
        case failure(S3Failure, HTTPFields)
    }

    private enum Attempt {
        case done(Answer)
        case again(ObjectStoreError)
    }

    /// - Parameters:
    ///   - expected: statuses that are an answer and not an error, unless the answer asks to try again.
    ///   - limit: the body is read whole if it has at most so many bytes; `nil` leaves it to the caller.
    func perform(
        _ request: S3Request, expecting expected: Set<Int> = [], collecting limit: Int? = nil
    ) async throws(ObjectStoreError) -> Answer {
        var keys = try await signingKeys()
        var mayRenew = true
        var last = ObjectStoreError.unavailable("not tried")
        var rest = Duration.zero
        for attempt in 1...max(1, settings.attempts) {
            if attempt > 1 {
                if Task.isCancelled { throw last }
                await pause.wait(attempt: attempt - 1, atLeast: rest)
                rest = .zero
            }
            let date = now()
            if let deadline = request.deadline, date >= deadline { throw .unavailable("it is too late for it") }
            let response: TransportResponse
            do {
                response = try await transport.send(signed(request, keys, at: date))
            } catch {
                last = try repeatableFailure(error, request)
                continue
            }
            guard response.status >= 300 else {
                switch try await finished(response, limit, request) {
                case .done(let answer): return answer
                case .again(let error): last = error
                }
                continue
            }
            let failure = await S3Failure.read(response)
            if failure.asksToTryAgain {
                onSlowDown()
                rest = failure.retryAfter
            }
            if settings.followsServiceClock, failure.blamesClock, clock.learn(from: response.headers) {
                last = .unavailable("the clock was wrong")
            } else if failure.code.isEmpty, expected.contains(failure.status), !failure.asksToTryAgain {
                // AWS says no more of a key that is missing either; whoever expects that finds out which it is.
                return .failure(failure, response.headers)
            } else if failure.blamesCredentials, mayRenew, let other = try await replacement(for: keys) {
                (keys, mayRenew) = (other, false)
                last = .unavailable("credentials were renewed")
            } else if expected.contains(failure.status), !failure.asksToTryAgain {
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
            return .again(.unavailable("\(error)"))
        }
    }

    /// What a broken exchange means when it may be tried again; throws what it means when it may not.
    private func repeatableFailure(
        _ error: TransportError, _ request: S3Request
    ) throws(ObjectStoreError) -> ObjectStoreError {
        switch error {
        case .notSent(let words): return .unavailable(words)
        case .connectionLost(let words):
            guard request.isRepeatable else { throw .outcomeUnknown(words) }
            return .unavailable(words)
        case .noAnswer(let time):
            guard request.isRepeatable else { throw .outcomeUnknown("no answer for \(time)") }
            return .unavailable("no answer for \(time)")
        case .tooLarge: throw .outcomeUnknown("an answer too large")
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
        let signer = RequestSigner(credentials: keys, region: settings.region, service: "s3", pathNormalization: .none)
        let signable = SignableRequest(
            method: request.operation.method.rawValue, host: host, path: path, query: query, headers: headers
        )
        headers.append(contentsOf: signer.sign(signable, payload: request.payloadHash, at: date).headers)
        var outgoing = TransportRequest(
            method: request.operation.method, url: query.isEmpty ? url : "\(url)?\(query)", headers: headers,
            body: request.transportBody, timeout: settings.timeout + request.sendingTime + request.workingTime,
            answerDeadline: .pace(bytesPerSecond: settings.slowestPace)
        )
        outgoing.quietTime = request.workingTime
        return outgoing
    }
}

extension ObjectStoreError {
    fileprivate init(_ error: CredentialError) {
        switch error {
        case .refused(let words): self = .denied(words)
        case .unavailable(let words): self = .unavailable(words)
        }
    }
}
