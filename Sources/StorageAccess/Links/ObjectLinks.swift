import ObjectStorage
import PhotolalaAPI

/// Makes addresses by which a browser reads or writes one object, signed with a person's own credentials.
package protocol ObjectLinks: Sendable {
    /// - Throws: `refused` for credentials whose store cannot be spoken to.
    func sign(
        _ requests: [LinkedRequest], with credentials: StorageCredentials, validity: LinkValidity
    ) throws(CredentialIssuerError) -> SignedLinks
}

/// What a browser may do with an address.
package struct LinkedRequest: Sendable, Equatable {
    package enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
    }

    package let method: Method
    package let key: ObjectKey
    /// How the answer is to describe the bytes: `response-content-type` and the like, not percent-encoded.
    package let query: [String: String]
    /// Header fields that must be sent with it as they are, under lower-case names.
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

/// Addresses that open objects for some minutes.
package struct SignedLinks: Sendable, Equatable {
    /// In the order of the requests.
    package let urls: [String]
    /// The origin (RFC 6454) that all of them have.
    package let origin: String

    package init(urls: [String], origin: String) {
        self.urls = urls
        self.origin = origin
    }
}
