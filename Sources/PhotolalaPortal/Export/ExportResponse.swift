import HTTPTypes
import Hummingbird
import UseCases

extension Response {
    /// Responds with an export, or with the range of it that the request asks for.
    package init(_ download: ExportDownload, to request: Request) {
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .eTag: download.etag, .cacheControl: "no-store",
            .contentDisposition: "attachment; filename=\"\(download.fileName)\"",
        ]
        let size = download.export.size
        guard
            let (offsets, isPart) = download.offsets(
                range: request.headers[.range], if: request.headers[.ifRange])
        else {
            headers[.contentRange] = "bytes */\(size)"
            self.init(status: .rangeNotSatisfiable, headers: headers)
            return
        }
        headers[.contentType] = "application/zip"
        if isPart { headers[.contentRange] = "bytes \(offsets.lowerBound)-\(offsets.upperBound - 1)/\(size)" }
        self.init(
            status: isPart ? .partialContent : .ok, headers: headers,
            body: ResponseBody(contentLength: offsets.count) { writer in
                try await download.read(offsets) { try await writer.write($0) }
                try await writer.finish(nil)
            })
    }
}
