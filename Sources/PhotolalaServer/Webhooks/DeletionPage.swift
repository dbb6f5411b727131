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
        text = progress.map(Self.text) ?? "Deletion request not found. Check the link."
    }

    private static func text(_ progress: DeletionProgress) -> String {
        switch progress {
        case .received:
            """
            Request received. The sessions of this identity have ended. Deletion of the account and its photos has \
            not started yet.
            """
        case .underway: "The account and its photos are being deleted."
        case .withdrawn: "The account is active. No deletion request is open."
        case .nothingStored: "No data is stored for this request."
        }
    }

    var response: Response {
        let html = """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Deletion request</title></head>
            <body><h1>Deletion request</h1><p>\(text)</p></body>
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
