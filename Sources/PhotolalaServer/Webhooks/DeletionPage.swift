import HTTPTypes
import Hummingbird
import NIOCore
import UseCases

/// The public status page of a deletion request. Contains no personal data and loads no resources.
struct DeletionPage {
    private let status: HTTPResponse.Status
    private let text: String

    /// - Parameter progress: The state of the request, `nil` for an unknown code.
    init(_ progress: DeletionProgress?) {
        status = progress == nil ? .notFound : .ok
        text = progress.map(Self.text) ?? "There is no such request. Check that the address is complete."
    }

    private static func text(_ progress: DeletionProgress) -> String {
        switch progress {
        case .received:
            """
            Your request was received, and whoever was signed in with this identity was signed out. The \
            deletion of the account and its photos has not begun yet.
            """
        case .underway: "Your request is being carried out: the account and its photos are being deleted."
        case .withdrawn: "The account is still in use, and no request for its deletion is open."
        case .nothingStored: "Nothing is stored here that belongs to this request."
        }
    }

    var response: Response {
        let html = """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Your request for deletion</title></head>
            <body><h1>Your request for deletion</h1><p>\(text)</p></body>
            </html>

            """
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'; sandbox"
        for (name, value) in [("Referrer-Policy", "no-referrer"), ("X-Robots-Tag", "noindex")] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }
}
