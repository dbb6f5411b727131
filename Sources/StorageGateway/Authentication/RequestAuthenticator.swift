import Foundation
import HTTPTypes
import PhotolalaAPI
import S3Protocol
import Secrets
import StorageAccess

/// Authenticates requests: checks the signature, the clock, the session token, and that the session is still valid.
struct RequestAuthenticator: Sendable {
    let settings: StorageGatewaySettings
    let opened: OpenedSessions
    let sessions: any StorageSessionCheck
    let now: @Sendable () -> Date
    private let check = SignatureVerifier(pathNormalization: .none)

    func authenticate(_ request: GatewayRequest) async throws -> Caller {
        let presigned = request.query.contains { $0.name == "X-Amz-Signature" || $0.name == "X-Amz-Algorithm" }
        let authorization = try authorization(of: request, presigned: presigned)
        let payload = try payload(of: request, presigned: presigned)
        let token = presigned ? request.parameter("X-Amz-Security-Token") : request.headers[.amzSecurityToken]
        guard let token,
            let session = opened.session(token: token, accessKeyID: authorization.accessKeyID)
        else { throw S3Error.unknownAccessKey }
        guard
            let chunks = check.verify(
                authorization, of: request.signable, payload: payload, secretAccessKey: session.secretAccessKey)
        else { throw S3Error.signatureMismatch }
        try rejectUnsignedHeaders(request, authorization, session)
        try checkClock(authorization, session)
        guard let entitlement = try await self.entitlement(of: session) else { throw S3Error.unknownAccessKey }
        // Upload-only credentials have no access unless the account may write.
        if session.access == .upload, entitlement.access != .readWrite { throw S3Error.accessDenied() }
        return Caller(
            session: session, access: entitlement.access, authenticatedAt: now(),
            policy: UserStoragePolicy(user: session.user, access: session.access.narrowed(to: entitlement.access)),
            storageLimit: entitlement.storageLimit, payload: payload, chunks: chunks
        )
    }

    /// Checks the session again at the end of a body that took long: the device may have been removed, or the account
    /// deleted.
    func recheck(_ caller: Caller) async throws {
        // Also after the clock was set back.
        guard !(0...Self.longestUnchecked).contains(now().timeIntervalSince(caller.authenticatedAt)) else { return }
        guard let entitlement = try await entitlement(of: caller.session) else { throw S3Error.unknownAccessKey }
        guard entitlement.access == caller.access else { throw S3Error.accessDenied() }
    }

    /// How old the check of a session may be when a body ends, in seconds.
    private static let longestUnchecked: TimeInterval = 1

    private func entitlement(
        of session: SealedStorageSession
    ) async throws(SessionCheckFailure) -> StorageEntitlement? {
        do {
            return try await sessions.entitlement(of: session)
        } catch {
            throw SessionCheckFailure(reason: "\(error)")
        }
    }

    private func authorization(
        of request: GatewayRequest, presigned: Bool
    ) throws(S3Error) -> ParsedAuthorization {
        let header = request.headers[.authorization]
        if presigned && header != nil { throw .invalidArgument("Only one auth mechanism allowed.") }
        if !presigned && header == nil {
            // AWS signature version 2, with which some clients still sign links.
            if request.parameter("AWSAccessKeyId") != nil { throw s3Error(.unsupportedAlgorithm, false) }
            throw .accessDenied()
        }
        do {
            let parsed =
                try header.map { header throws(AuthorizationError) in
                    try ParsedAuthorization(header: header, date: request.headers[.amzDate])
                } ?? ParsedAuthorization(query: request.query)
            try checkScope(parsed, presigned)
            return parsed
        } catch let error as AuthorizationError {
            throw s3Error(error, presigned)
        } catch let error as S3Error {
            throw error
        } catch {
            throw .internalError
        }
    }

    private func checkScope(_ parsed: ParsedAuthorization, _ presigned: Bool) throws(S3Error) {
        let problem: String
        if parsed.scope.region != settings.region {
            problem = "the region '\(parsed.scope.region)' is wrong; expecting '\(settings.region)'"
        } else if parsed.scope.service != "s3" {
            problem = "incorrect service \"\(parsed.scope.service)\". This endpoint belongs to \"s3\"."
        } else {
            return
        }
        throw presigned ? .queryMalformed(problem) : .headerMalformed(problem)
    }

    private func s3Error(_ error: AuthorizationError, _ presigned: Bool) -> S3Error {
        switch error {
        case .unsupportedAlgorithm where presigned:
            .queryMalformed("X-Amz-Algorithm only supports \"AWS4-HMAC-SHA256\"")
        case .unsupportedAlgorithm:
            .invalidRequest(
                "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.")
        case .badDate where presigned: .queryMalformed("X-Amz-Date must be in the ISO8601 Long Format")
        case .badDate: .accessDenied("AWS authentication requires a valid Date or x-amz-date header")
        case .badExpiry: .queryMalformed("X-Amz-Expires must be between 1 and 604800 seconds")
        case .malformed(let part): presigned ? .queryMalformed("invalid \(part)") : .headerMalformed("invalid \(part)")
        }
    }

    private func payload(of request: GatewayRequest, presigned: Bool) throws(S3Error) -> PayloadHash {
        guard let text = request.headers[.amzContentSHA256] ?? request.parameter("X-Amz-Content-Sha256") else {
            if presigned { return .unsigned }
            throw .invalidRequest("Missing required header for this request: x-amz-content-sha256")
        }
        guard let payload = PayloadHash(text) else {
            throw .invalidArgument("x-amz-content-sha256 must be UNSIGNED-PAYLOAD, a STREAMING form or a SHA-256.")
        }
        return payload
    }

    /// Rejects unsigned `x-amz-` headers: they change what a request does, so a third party could alter a signed
    /// request. The content hash is part of the signed data in any case.
    private func rejectUnsignedHeaders(
        _ request: GatewayRequest, _ authorization: ParsedAuthorization, _ session: SealedStorageSession
    ) throws(S3Error) {
        for field in request.headers where field.name.canonicalName.hasPrefix("x-amz-") {
            let name = field.name.canonicalName
            if name != "x-amz-content-sha256" && !authorization.signedHeaders.contains(name) {
                throw .accessDenied("There were headers present in the request which were not signed")
            }
        }
        // The holder of an upload address chooses nothing about the object, except what HTTP clients add of their own: a
        // type, which addresses to photos replace, and `Cache-Control`.
        guard session.access == .upload else { return }
        let added: [HTTPField.Name] = [.contentType, .cacheControl]
        for name in ObjectHeaders.storedFields where !added.contains(name) && request.headers[name] != nil {
            guard authorization.signedHeaders.contains(name.canonicalName) else {
                throw .accessDenied("There were headers present in the request which were not signed")
            }
        }
    }

    /// The allowed difference of a client's clock, in seconds, as in S3. Purging the trash relies on no request being
    /// accepted later than that.
    private static let clockSkew: TimeInterval = 900

    private func checkClock(_ authorization: ParsedAuthorization, _ session: SealedStorageSession) throws(S3Error) {
        let now = now()
        let signed = authorization.timestamp.date
        if let expires = authorization.expires {
            guard signed <= now.addingTimeInterval(Self.clockSkew) else {
                throw .accessDenied("Request is not yet valid")
            }
            guard now < signed.addingTimeInterval(Double(expires)) else { throw .accessDenied("Request has expired") }
        } else {
            guard abs(now.timeIntervalSince(signed)) <= Self.clockSkew else { throw .requestTimeTooSkewed }
        }
        guard now < session.expiresAt else { throw .expiredToken }
    }
}

/// The session check failed. Access is denied, and the client may retry.
struct SessionCheckFailure: Error {
    let reason: String
}
