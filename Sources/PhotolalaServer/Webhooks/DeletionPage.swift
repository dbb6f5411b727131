import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI

/// The public status page of a deletion request. Contains no personal data and loads no resources.
struct DeletionPage {
    private let status: HTTPResponse.Status
    private let text: String

    /// - Parameter deletion: the state of the deletion, `nil` for an unknown code.
    init(_ deletion: DeletionStatus?) {
        status = deletion == nil ? .notFound : .ok
        text = deletion.map(Self.text) ?? "Deletion request not found. Check the link."
    }

    private static func text(_ deletion: DeletionStatus) -> String {
        switch deletion.state {
        case .scheduled:
            """
            The account and its photos will be deleted on \(date(deletion.erasesAt)). Until then its owner can sign in and \
            cancel the deletion.
            """
        case .erasing: "The account and its photos are being deleted."
        case .completed: "The account and its photos were deleted."
        case .active:
            """
            The account is active and no deletion is scheduled: another identity opens it, or its owner cancelled the \
            deletion. Its owner can delete it in the app.
            """
        default: "No data is stored for this request."
        }
    }

    private static func date(_ date: Date?) -> String {
        date.map { $0.formatted(.iso8601.year().month().day()) } ?? ""
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
