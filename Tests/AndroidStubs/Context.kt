package android.content

import java.io.File

/** https://developer.android.com/reference/android/content/Context */
abstract class Context {
    /** https://developer.android.com/reference/android/content/Context#getNoBackupFilesDir() */
    abstract val noBackupFilesDir: File
}
