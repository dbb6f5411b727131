import HTTPTypes

/// What every answer says so that nothing a user stored can run in a browser on this host.
enum BrowserSafety {
    /// Pictures that browsers only ever paint. SVG is a document with scripts and does not belong here.
    private static let paintable: Set<String> = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif", "image/tiff",
        "image/bmp",
    ]

    /// Set last, over whatever the object or the request asked for.
    static func apply(to headers: inout HTTPFields) {
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = "sandbox; default-src 'none'"
        // Pages of any origin may show what they have a signed address of; only those of the CORS list can read it.
        headers[.crossOriginResourcePolicy] = "cross-origin"
    }

    /// The `Content-Disposition` that an object is given with: as asked for a picture, an attachment for all else.
    static func disposition(contentType: String?, asked: String?) -> String? {
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        if paintable.contains(type) { return asked }
        guard let asked, let semicolon = asked.firstIndex(of: ";") else { return "attachment" }
        return "attachment\(asked[semicolon...])"
    }
}
