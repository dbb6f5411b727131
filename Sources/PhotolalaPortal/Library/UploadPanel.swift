import Localization
import PhotoCatalog
import PhotolalaAPI
import UseCases

/// What uploads on a page of the library: the button in the bar at the top, and the panel.
extension UploadEndpoints {
    /// Returns the template content; none while the account is being deleted.
    /// - Parameters:
    ///   - query: The photos that the page shows, if it shows any.
    ///   - album: The album that the page shows, to which uploads are added.
    func panel(
        _ page: AccountPage, showing query: LibraryQuery? = nil, of album: Album? = nil
    ) throws -> [String: any Sendable] {
        guard page.caller.account.value.shownDeletion == nil else { return [:] }
        let texts = page.browserRequest.texts
        // A search within an album shows what it finds there.
        let album = query?.section == .albums ? album : nil
        let takesUploads = query?.isWhole == true || album != nil
        var content: [String: any Sendable] = [
            "canUpload": true, "account": page.caller.user.description, "formToken": page.formToken,
            "longest": String(UploadRequest.maximumPhotoSize), "batch": String(batchLength),
            "inParts": String(UploadInParts.minimumSize), "part": String(UploadInParts.partSize),
            "parts": String(UploadInParts.maximumParts), "uploadIcon": Icon.upload.html, "icons": Icon.all,
            "uploadTexts": try ScriptValue.json(texts.family(.upload)), "takesUploads": takesUploads,
            "uploadsShown": try album.map { try LibraryQuery(.photos, album: $0.id, context.vocabulary).path() }
                ?? Section.photos.path,
        ]
        if let album {
            content["uploadAlbum"] = album.id.description
            content["uploadPlace"] = texts(.uploadToAlbum, [.name: album.name.description])
        } else if !takesUploads {
            content["uploadPlace"] = texts(.uploadToLibrary)
        }
        return content
    }

    /// Returns the policy of a page of the library, by its content.
    static func policy(_ content: [String: any Sendable], store: String?) -> PagePolicy {
        let canUpload = content["canUpload"] != nil
        return PagePolicy(
            formActions: ["'self'"], store: store, playsFiles: canUpload, hasScripts: true, hasFrames: canUpload)
    }
}
