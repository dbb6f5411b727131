import ObjectStorage
import PhotolalaAPI

/// Creates signed URLs with which a browser reads or writes single objects, signed with a user's own credentials.
package protocol ObjectURLSigner: Sendable {
    /// - Throws: `refused` for credentials whose store endpoint is not usable.
    func sign(
        _ requests: [PresignedRequest], with credentials: StorageCredentials, validity: PresignedURLValidity
    ) throws(CredentialIssuerError) -> PresignedURLs
}

/// The request for which a URL is signed.
package struct PresignedRequest: Sendable, Equatable {
    package enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    package let method: Method
    package let key: ObjectKey
    /// Overrides of response headers such as `response-content-type`, and the parameters of multipart uploads; not
    /// percent-encoded.
    package let query: [String: String]
    /// Header fields that must be sent unchanged with the request, with lower-case names.
    package let headers: [String: String]

    package init(
        _ method: Method, _ key: ObjectKey, query: [String: String] = [:], headers: [String: String] = [:]
    ) {
        self.method = method
        self.key = key
        self.query = query
        self.headers = headers
    }
}

/// URLs that give access to objects for some minutes.
package struct PresignedURLs: Sendable, Equatable {
    /// In the order of the requests.
    package let urls: [String]
    /// The common origin (RFC 6454) of the URLs.
    package let origin: String

    package init(urls: [String], origin: String) {
        self.urls = urls
        self.origin = origin
    }
}
