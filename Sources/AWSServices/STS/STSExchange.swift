import Foundation
import NIOCore
import ObjectStorage
import S3Protocol
import StorageAccess
import Transport

/// Signs and sends calls to the token service, and retries them. Retries are always safe: a session whose response
/// was lost is used by no caller.
struct STSExchange: Sendable {
    let settings: STSSettings
    let credentials: any CredentialSource
    let transport: any HTTPTransport
    let pause: Backoff
    let now: @Sendable () -> Date

    func perform(_ request: AssumeRoleRequest) async throws(CredentialIssuerError) -> ExpiringCredentials {
        var keys = try await signingKeys()
        var mayRenew = true
        var last = CredentialIssuerError.unavailable("not tried")
        for attempt in 1...max(1, settings.attempts) {
            if attempt > 1 {
                if Task.isCancelled { throw last }
                await pause.wait(attempt: attempt - 1)
            }
            switch await response(to: request, keys) {
            case .failure(let error): last = CredentialIssuerError("the token service", error)
            case .success(let response) where response.status == 200: return try self.keys(response)
            case .success(let response):
                let refusal = STSError(response)
                if refusal.indicatesCredentialFailure, mayRenew, let other = try await replacement(for: keys) {
                    (keys, mayRenew) = (other, false)
                    last = .unavailable("server credentials renewed")
                } else {
                    last = refusal.error
                }
            }
            guard case .unavailable = last else { throw last }
        }
        throw last
    }

    private func response(
        to request: AssumeRoleRequest, _ keys: AWSCredentials
    ) async -> Result<CredentialResponse, CredentialError> {
        let body = ByteBuffer(string: request.form.text)
        let (endpoint, path) = (settings.endpoint, "\(settings.endpoint.path)/")
        let signer = RequestSigner(
            credentials: keys, region: settings.region, service: "sts", pathNormalization: .standard
        )
        var headers = TokenServiceForm.headers
        let signable = SignableRequest(method: "POST", host: endpoint.host, path: path, headers: headers)
        headers.append(
            contentsOf: signer.sign(signable, payload: .of(Data(request.form.text.utf8)), at: now()).headers
        )
        let request = TransportRequest(
            method: .post, url: "\(endpoint.scheme)://\(endpoint.host)\(path)", headers: headers, body: .bytes(body)
        )
        do {
            return .success(try await CredentialResponse.of(request, over: transport))
        } catch {
            return .failure(error)
        }
    }

    private func keys(_ response: CredentialResponse) throws(CredentialIssuerError) -> ExpiringCredentials {
        do { return try TokenServiceResponse.keys(response.bytes) } catch {
            throw CredentialIssuerError("the token service", error)
        }
    }

    private func signingKeys() async throws(CredentialIssuerError) -> AWSCredentials {
        do { return try await credentials.credentials() } catch {
            throw CredentialIssuerError("the server's credentials", error)
        }
    }

    private func replacement(for keys: AWSCredentials) async throws(CredentialIssuerError) -> AWSCredentials? {
        do { return try await credentials.replacement(for: keys) } catch {
            throw CredentialIssuerError("the server's credentials", error)
        }
    }
}

extension CredentialIssuerError {
    fileprivate init(_ subject: String, _ error: CredentialError) {
        switch error {
        case .refused(let message): self = .refused("\(subject): \(message)")
        case .unavailable(let message): self = .unavailable("\(subject): \(message)")
        }
    }
}
