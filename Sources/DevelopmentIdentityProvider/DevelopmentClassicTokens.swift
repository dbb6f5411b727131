import Foundation

/// The classic access tokens that the development provider issued as Facebook, in bounded memory.
struct DevelopmentClassicTokens: Sendable {
    struct Grant: Sendable {
        let client: String
        let person: DevelopmentTokenRequest
        let issuedAt: Int
        let expiresAt: Int
    }

    private static let maximumCount = 10_000

    private var grants: [String: Grant] = [:]

    mutating func add(_ grant: Grant, token: String) {
        if grants.count >= Self.maximumCount, let oldest = grants.min(by: { $0.value.issuedAt < $1.value.issuedAt }) {
            grants[oldest.key] = nil
        }
        grants[token] = grant
    }

    subscript(_ token: String) -> Grant? { grants[token] }
}
