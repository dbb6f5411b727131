import PhotolalaClient
import SwiftUI
import UIKit

/// The stored photos, newest first.
struct LibraryView: View {
    let library: PhotolalaLibrary
    @State private var photos: [LibraryPhoto] = []
    @State private var failure = ""

    var body: some View {
        ScrollView {
            Text(failure)
            LazyVGrid(columns: [GridItem(.adaptive(minimum: 100))]) {
                ForEach(photos, id: \.path) { photo in Thumbnail(photo: photo, library: library) }
            }
        }
        .navigationTitle("Library")
        .task { await load() }
        .refreshable { await load() }
    }

    /// Shows each page as soon as it is read.
    private func load() async {
        do throws(PhotolalaError) {
            var loaded: [LibraryPhoto] = []
            for try await page in library.photos(pageSize: 200) {
                loaded += page.photos
                photos = loaded
            }
            (photos, failure) = (loaded, "")
        } catch {
            failure = error.detail
        }
    }
}

/// One photo of the grid. Its download ends when it leaves the screen.
struct Thumbnail: View {
    let photo: LibraryPhoto
    let library: PhotolalaLibrary
    @State private var image: UIImage?

    var body: some View {
        Image(uiImage: image ?? UIImage())
            .resizable()
            .scaledToFill()
            .frame(width: 100, height: 100)
            .clipped()
            .task {
                // A photo without a thumbnail, and one that cannot be downloaded now, stay empty.
                guard let data = try? await library.thumbnail(for: photo) else { return }
                image = UIImage(data: data)
            }
    }
}
