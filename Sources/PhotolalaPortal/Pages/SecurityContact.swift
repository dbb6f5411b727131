import Foundation
import Hummingbird
import NIOCore

/// `/.well-known/security.txt` (RFC 9116): where researchers report vulnerabilities.
struct SecurityContact: Sendable {
    static let path = "/.well-known/security.txt"
    /// How long the answer may be relied upon, in seconds. The RFC recommends less than a year.
    private static let validity: TimeInterval = 90 * 86_400

    let url: String
    /// The URL of the service, without a trailing slash.
    let publicURL: String
    let languages: [String]
    let now: @Sendable () -> Date

    func mount(on router: some RouterMethods) {
        router.get(RouterPath(Self.path)) { _, _ in
            let text = """
                Contact: \(url)
                Expires: \(now().addingTimeInterval(Self.validity).ISO8601Format())
                Preferred-Languages: \(languages.joined(separator: ", "))
                Canonical: \(publicURL)\(Self.path)

                """
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff",
                    .cacheControl: "public, max-age=86400",
                ],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
    }
}
