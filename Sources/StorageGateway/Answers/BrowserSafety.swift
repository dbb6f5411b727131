import HTTPTypes

/// Response headers that prevent user content from running in a browser on this host.
enum BrowserSafety {
    /// Image types that browsers only render. SVG is a document with scripts and must not be added.
    private static let inlineImageTypes: Set<String> = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/heic", "image/heif", "image/tiff",
        "image/bmp",
    ]

    /// Sets the headers. Applied last, overriding values from the object or the request.
    static func apply(to headers: inout HTTPFields) {
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = "sandbox; default-src 'none'"
        // Pages of any origin may embed an object for which they have a signed URL; only origins in the CORS list can
        // read it.
        headers[.crossOriginResourcePolicy] = "cross-origin"
    }

    /// Returns the `Content-Disposition` of an object: as requested for images, an attachment for all other types.
    static func disposition(contentType: String?, requested: String?) -> String? {
        let type = (contentType ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        if inlineImageTypes.contains(type) { return requested }
        guard let requested, let semicolon = requested.firstIndex(of: ";") else { return "attachment" }
        return "attachment\(requested[semicolon...])"
    }
}
