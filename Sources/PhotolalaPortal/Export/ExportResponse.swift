import HTTPTypes
import Hummingbird
import UseCases

extension ExportDownload {
    /// Returns the response with the export, or with the range of it that the request asks for.
    package func response(to request: Request) async throws -> Response {
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .eTag: etag, .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"\(fileName)\"",
        ]
        guard let (offsets, isPart) = offsets(range: request.headers[.range], if: request.headers[.ifRange]) else {
            headers[.contentRange] = "bytes */\(export.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentType] = "application/zip"
        if isPart { headers[.contentRange] = "bytes \(offsets.lowerBound)-\(offsets.upperBound - 1)/\(export.size)" }
        let status = isPart ? HTTPResponse.Status.partialContent : .ok
        guard request.method != .head else {
            headers[.contentLength] = String(offsets.count)
            return Response(status: status, headers: headers)
        }
        let opened = try await open()
        return Response(
            status: status, headers: headers,
            body: ResponseBody(contentLength: offsets.count) { writer in
                try await opened.read(offsets) { try await writer.write($0) }
                try await writer.finish(nil)
            })
    }
}
