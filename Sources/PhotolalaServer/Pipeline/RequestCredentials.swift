import HTTPTypes
import Hummingbird
import PhotolalaAPI
import Sessions
import UseCases

/// Extracts a request's access token and DPoP proof.
struct RequestCredentials: Sendable {
    /// The URL under which clients reach this server. Proofs are checked against it and not against the request's host.
    let publicURL: String

    /// Returns the DPoP proof, or `nil` if the request has none.
    /// - Throws: `invalidDPoPProof` for more than one proof (RFC 9449 section 4.3).
    func dpopProof(_ request: Request) throws(ServiceError) -> PresentedDPoPProof? {
        guard let name = HTTPField.Name(DPoP.proofField) else { return nil }
        let fields = request.headers[values: name]
        guard let text = fields.first else { return nil }
        guard fields.count == 1 else { throw .invalidDPoPProof("more than one DPoP header") }
        return PresentedDPoPProof(
            text: text, method: request.method.rawValue, uri: publicURL + request.uri.path
        )
    }

    /// Returns the access token and its DPoP proof.
    /// - Throws: `unauthorized` without an access token; `invalidDPoPProof` for a DPoP token without a proof and for a
    ///   bearer token with one.
    func accessToken(_ request: Request) throws(ServiceError) -> (token: String, proof: PresentedDPoPProof?) {
        guard let field = request.headers[.authorization].flatMap(AccessTokenField.init) else {
            throw .unauthorized("missing access token")
        }
        let proof = try dpopProof(request)
        switch field.type {
        case .bearer: guard proof == nil else { throw .invalidDPoPProof("not allowed with a bearer token") }
        case .dpop: guard proof != nil else { throw .invalidDPoPProof("missing DPoP header") }
        }
        return (field.token, proof)
    }
}
